import { useMemo } from 'react'
import { runCommand } from '../stores/command-list.ts'
import { runList, selectRun, useRuns } from '../stores/runs.ts'
import { openTab, runTab, useTabs, activeTab } from '../stores/tabs.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { StatusMark } from '../ui/status/status-mark.tsx'
import { useRovingFocus } from '../ui/use-roving-focus.ts'
import listStyles from './run-list.module.css'
import { durationOf } from './run-table.tsx'
import styles from './side-view.module.css'

/** The newest runs; a click opens the record of one. */
export function RunsView() {
  const runs = useRuns((state) => state.runs)
  const rows = useMemo(() => runList({ runs }), [runs])
  const openId = useTabs((state) => activeTab(state)?.target)
  const onKeyDown = useRovingFocus('button', 'vertical')
  return (
    <div className={styles.view}>
      <h2 className={styles.title}>
        Runs
        <span className="tabular">{rows.length > 0 ? rows.length : ''}</span>
      </h2>
      {rows.length === 0 ? (
        <EmptyState
          icon="run-all"
          text="Runs of your pipelines appear here."
          action={<Button onClick={() => runCommand('run.send')}>Send a request</Button>}
        />
      ) : (
        <ul className={styles.scroll} onKeyDown={onKeyDown}>
          {rows.map((run, at) => (
            <li key={run.runId}>
              <button
                type="button"
                className={listStyles.item}
                data-focus="inset"
                aria-current={run.runId === openId}
                tabIndex={at === 0 ? 0 : -1}
                onClick={() => {
                  selectRun(run.runId)
                  openTab(runTab(run.runId))
                }}
              >
                <StatusMark status={run.status} />
                <span className={listStyles.text}>
                  <span className={listStyles.name}>{run.pipelineId}</span>
                  <span className={listStyles.detail}>
                    {run.method} {run.path}
                  </span>
                </span>
                <span className={`${listStyles.muted} tabular`}>{durationOf(run)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
