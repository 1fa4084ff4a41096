import { useMemo } from 'react'
import type { RunSummary } from '../../gateway/contract/trace.ts'
import { runCommand } from '../stores/command-list.ts'
import { runList, selectRun, useRuns } from '../stores/runs.ts'
import { openTab, runTab } from '../stores/tabs.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatDuration } from '../ui/quantity/format-duration.ts'
import { HttpStatus } from '../ui/status/http-status.tsx'
import { StatusMark } from '../ui/status/status-mark.tsx'
import { useRovingFocus } from '../ui/use-roving-focus.ts'
import styles from './run-list.module.css'

/** Every recorded run with its columns; Enter opens the record. */
export function RunTable() {
  const runs = useRuns((state) => state.runs)
  const selectedId = useRuns((state) => state.selectedRunId)
  const rows = useMemo(() => runList({ runs }), [runs])
  const onKeyDown = useRovingFocus('tr[tabindex]', 'vertical')
  if (rows.length === 0)
    return (
      <EmptyState
        icon="run-all"
        text="Runs of your pipelines appear here, with the time of every stage."
        action={<Button onClick={() => runCommand('run.send')}>Send a request</Button>}
      />
    )
  return (
    <div className={styles.list}>
      <table className={styles.table} role="grid" aria-label="Runs">
        <thead>
          <tr>
            <th>Status</th>
            <th>Answer</th>
            <th className={styles.number}>Time</th>
            <th>Pipeline</th>
            <th>Request</th>
            <th className={styles.number}>Started</th>
          </tr>
        </thead>
        <tbody onKeyDown={onKeyDown}>
          {rows.map((run, at) => (
            <tr
              key={run.runId}
              className={styles.row}
              data-focus="inset"
              aria-selected={run.runId === selectedId}
              tabIndex={
                (
                  rows.some(({ runId }) => runId === selectedId)
                    ? run.runId === selectedId
                    : at === 0
                )
                  ? 0
                  : -1
              }
              onClick={() => selectRun(run.runId)}
              onDoubleClick={() => openTab({ ...runTab(run.runId), isPreview: false })}
              onKeyDown={(event) => {
                if (event.key === 'Enter') openRun(run)
                if (event.key === ' ') selectRun(run.runId)
              }}
            >
              <td>
                <StatusMark status={run.status} withWord />
              </td>
              <td>{run.code === undefined ? '' : <HttpStatus code={run.code} />}</td>
              <td className={styles.number}>{durationOf(run)}</td>
              <td>{run.pipelineId}</td>
              <td className={styles.grow}>
                {run.method} {run.path}
              </td>
              <td className={styles.number} title={new Date(run.startTime).toLocaleString()}>
                {new Date(run.startTime).toLocaleTimeString()}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function openRun({ runId }: RunSummary) {
  selectRun(runId)
  openTab(runTab(runId))
}

/** Time until the answer was given; empty while it runs. */
export const durationOf = ({ startTime, responseTime, endTime }: RunSummary) => {
  const end = responseTime ?? endTime
  return end === undefined ? '' : formatDuration(end - startTime)
}
