import { closeTabSafely } from '../stores/close-tab.ts'
import { runCommand } from '../stores/command-list.ts'
import { dirtyPaths, useDocuments } from '../stores/documents.ts'
import { useRuns } from '../stores/runs.ts'
import { keepTab, openTab, type Tab, type TabGroup } from '../stores/tabs.ts'
import { useApp } from '../stores/app.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useRovingFocus } from '../ui/use-roving-focus.ts'
import { iconOfFile } from './icon-of-file.ts'
import styles from './tab-strip.module.css'

/** Tabs of one group. Single click shows, double click keeps, middle click closes. */
export function TabStrip({
  group: { tabs, activeTabId },
  isFront,
  canMove,
  panelId,
}: {
  group: TabGroup
  isFront: boolean
  /** There is another group, or another tab to stay here. */
  canMove: boolean
  panelId: string
}) {
  const onKeyDown = useRovingFocus('[role=tab]', 'horizontal')
  return (
    <div className={styles.strip}>
      <div className={styles.tabs} role="tablist" aria-label="Open documents" onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <TabItem
            key={tab.tabId}
            tab={tab}
            isActive={tab.tabId === activeTabId}
            isFront={isFront}
            panelId={panelId}
          />
        ))}
      </div>
      {isFront && canMove && (
        <div className={styles.actions}>
          <IconButton
            icon="split-horizontal"
            label="Move tab to the other side"
            onClick={() => runCommand('view.moveTab')}
          />
        </div>
      )}
    </div>
  )
}

function TabItem({
  tab,
  isActive,
  isFront,
  panelId,
}: {
  tab: Tab
  isActive: boolean
  isFront: boolean
  panelId: string
}) {
  const isDirty = useDocuments((state) =>
    tab.kind === 'file' ? dirtyPaths(state).split('\n').includes(tab.target) : false,
  )
  const kind = useApp(
    ({ state }) => state?.workspace?.files.find(({ path }) => path === tab.target)?.kind,
  )
  const pipelineId = useRuns(({ runs }) => runs[tab.target]?.pipelineId)
  const title = titleOf(tab, pipelineId)
  const icon = tab.kind === 'home' ? 'home' : tab.kind === 'run' ? 'run-all' : iconOfFile(kind)
  return (
    <div
      className={styles.tab}
      role="presentation"
      data-active={isActive}
      data-front={isFront}
      data-preview={tab.isPreview}
      title={tab.kind === 'file' ? tab.target : undefined}
      onMouseDown={(event) => {
        if (event.button !== 1) return
        event.preventDefault()
        closeTabSafely(tab)
      }}
    >
      <button
        type="button"
        role="tab"
        className={styles.select}
        data-focus="inset"
        aria-selected={isActive}
        aria-controls={isActive ? panelId : undefined}
        aria-label={isDirty ? `${title}, unsaved` : title}
        aria-keyshortcuts="Delete"
        tabIndex={isActive ? 0 : -1}
        onClick={() => openTab(tab)}
        onDoubleClick={() => keepTab(tab.tabId)}
        onKeyDown={(event) => event.key === 'Delete' && closeTabSafely(tab)}
      >
        <Icon name={icon} />
        <span className={styles.label}>{title}</span>
      </button>
      {/* For the mouse: the keyboard closes with Delete, or with the command. */}
      <span
        className={styles.close}
        aria-hidden="true"
        data-dirty={isDirty}
        title={`Close ${title}`}
        onClick={() => closeTabSafely(tab)}
      >
        <Icon name={isDirty ? 'circle-filled' : 'close'} />
      </span>
    </div>
  )
}

/** What a tab is called: the file's name, the run's pipeline, or Home. */
export function titleOf({ kind, target }: Tab, pipelineId?: string) {
  if (kind === 'home') return 'Home'
  if (kind === 'run') return `Run ${pipelineId ?? ''} ${target.slice(0, 4)}`
  return target.slice(target.lastIndexOf('/') + 1)
}
