import type { ReactNode } from 'react'
import type { Client } from '../client/client.ts'
import { useApp } from '../stores/app.ts'
import { changeSettings, useSettings } from '../stores/settings.ts'
import type { Tab } from '../stores/tabs.ts'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Icon } from '../ui/icon.tsx'
import { Split, type Pane } from '../ui/split.tsx'
import { BottomPanel } from './bottom-panel.tsx'
import { DocumentGroups } from './document-groups.tsx'
import { ExplorerView } from './explorer-view.tsx'
import { IconRail } from './icon-rail.tsx'
import { RunsView } from './runs-view.tsx'
import { StatusBar } from './status-bar.tsx'
import { TitleBar } from './title-bar.tsx'
import styles from './workbench.module.css'

const TROUBLE = {
  lost: 'The gateway does not answer. Your text is kept; the workbench reconnects by itself.',
  refused:
    'The gateway was started anew and does not know this page. Your text is kept; open the address it printed last.',
}

/** The whole window; `renderTab` gives the document of a tab. */
export function Workbench({
  client,
  renderTab,
}: {
  client: Client
  renderTab: (tab: Tab) => ReactNode
}) {
  const connection = useApp((app) => app.connection)
  const hasWorkspace = useApp(({ state }) => state?.workspace !== undefined)
  const { isSideOpen, isBottomOpen, isFocusMode, sideView, sidePixels, bottomPixels } = useSettings(
    (all) => all,
  )
  const hasSide = hasWorkspace && isSideOpen && !isFocusMode
  const hasBottom = hasWorkspace && isBottomOpen && !isFocusMode

  const documents = <DocumentGroups renderTab={renderTab} />
  const main: Pane[] = [{ paneId: 'documents', minSize: 160, content: documents }]
  if (hasBottom)
    main.push({
      paneId: 'bottom panel',
      defaultSize: bottomPixels,
      minSize: 90,
      onPixels: (pixels) => changeSettings({ bottomPixels: pixels }),
      content: (
        <section className={styles.bottom} aria-label="Bottom panel" data-region="panel">
          <BottomPanel client={client} />
        </section>
      ),
    })
  const body: Pane[] = [
    {
      paneId: 'main',
      minSize: 400,
      content: (
        <main className={styles.main}>
          <Split splitId="main" direction="vertical" panes={main} />
        </main>
      ),
    },
  ]
  if (hasSide)
    body.unshift({
      paneId: 'sidebar',
      defaultSize: sidePixels,
      minSize: 160,
      maxSize: 480,
      onPixels: (pixels) => changeSettings({ sidePixels: pixels }),
      content: (
        <aside className={styles.side} aria-label="Side view" data-region="side">
          <ErrorBoundary key={sideView} name={sideView === 'explorer' ? 'Explorer' : 'Runs'}>
            {sideView === 'explorer' ? <ExplorerView client={client} /> : <RunsView />}
          </ErrorBoundary>
        </aside>
      ),
    })

  return (
    <div className={styles.window}>
      <TitleBar />
      {(connection === 'lost' || connection === 'refused') && (
        <p className={styles.lost} role="alert">
          <Icon name="debug-disconnect" />
          {TROUBLE[connection]}
        </p>
      )}
      <div className={styles.body}>
        {!isFocusMode && <IconRail />}
        <Split splitId="body" direction="horizontal" panes={body} />
      </div>
      <StatusBar client={client} />
    </div>
  )
}
