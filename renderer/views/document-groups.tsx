import type { ReactNode } from 'react'
import { rememberLayout, useSettings } from '../stores/settings.ts'
import { runCommand } from '../stores/command-list.ts'
import { activateGroup, useTabs, type Tab } from '../stores/tabs.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Split } from '../ui/split.tsx'
import styles from './document-groups.module.css'
import { TabStrip } from './tab-strip.tsx'

/** One or two groups of documents side by side; `renderTab` gives the document of a tab. */
export function DocumentGroups({ renderTab }: { renderTab: (tab: Tab) => ReactNode }) {
  const groups = useTabs((state) => state.groups)
  const activeGroup = useTabs((state) => state.activeGroup)
  const layout = useSettings(({ layouts }) => layouts['groups'])
  const panes = groups.map((group, index) => {
    const tab = group.tabs.find(({ tabId }) => tabId === group.activeTabId)
    const panelId = `documents-${index}`
    return {
      paneId: index === 0 ? 'documents' : 'documents beside',
      minSize: 280,
      content: (
        <section
          className={styles.group}
          aria-label={index === 0 ? 'Documents' : 'Documents beside'}
          data-region="documents"
          onFocusCapture={() => activateGroup(index)}
        >
          <TabStrip
            group={group}
            isFront={index === activeGroup || groups.length === 1}
            canMove={groups.length > 1 || group.tabs.length > 1}
            panelId={panelId}
          />
          <div
            id={panelId}
            role="tabpanel"
            aria-label={tab ? tab.target || 'Home' : 'No document'}
            className={styles.document}
          >
            {tab ? (
              <ErrorBoundary key={tab.tabId} name={tab.target || 'Home'}>
                {renderTab(tab)}
              </ErrorBoundary>
            ) : (
              <NoDocument />
            )}
          </div>
        </section>
      ),
    }
  })
  return (
    <Split
      splitId="groups"
      direction="horizontal"
      panes={panes}
      layout={panes.length > 1 ? layout : undefined}
      onLayout={(sizes) => panes.length > 1 && rememberLayout('groups', sizes)}
    />
  )
}

const NoDocument = () => (
  <EmptyState
    icon="files"
    text="Files, requests and runs open here."
    action={<Button onClick={() => runCommand('go.file')}>Go to a file</Button>}
    keys="Ctrl+P"
  />
)
