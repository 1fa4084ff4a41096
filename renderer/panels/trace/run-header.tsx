import type { Trace } from '../../../gateway/contract/trace.ts'
import { Button } from '../../ui/button.tsx'
import { formatDuration } from '../../ui/quantity/format-duration.ts'
import { HttpStatus } from '../../ui/status/http-status.tsx'
import { StatusMark } from '../../ui/status/status-mark.tsx'
import { boundsOf } from './time-scale.ts'
import styles from './trace.module.css'

/** What became of the run, how long it took and what it was. */
export function RunHeader({
  trace,
  now,
  onSelectStage,
  onExportHar,
}: {
  trace: Trace
  now: number
  onSelectStage: (stageId: string) => void
  onExportHar: (() => void) | undefined
}) {
  const { start, end } = boundsOf(trace, now)
  const { code, continued, responseTime } = trace
  return (
    <header className={styles.header}>
      <span data-testid="run-status" data-status={trace.status} className={styles.runStatus}>
        <StatusMark status={trace.status} withWord />
      </span>
      <span className={styles.runTime} data-testid="run-duration" title={timeTitle(trace, end)}>
        {formatDuration(end - start)}
      </span>
      {code !== undefined && <HttpStatus code={code} />}
      <span className={styles.pipeline} title={`${trace.method} ${trace.path}`}>
        <b>{trace.pipelineId}</b>
        <span className={styles.route}>{`${trace.method} ${trace.path}`}</span>
      </span>
      {continued[0] !== undefined && (
        <button
          type="button"
          className={styles.continued}
          title={`The run went on after these failed: ${continued.join(', ')}`}
          onClick={() => onSelectStage(continued[0] ?? '')}
        >
          <StatusMark status="continued" />
          <span>
            {continued.length === 1 ? '1 failure' : `${continued.length} failures`} continued
          </span>
        </button>
      )}
      {responseTime !== undefined && end - responseTime > 1 && (
        <span
          className={styles.note}
        >{`answered after ${formatDuration(responseTime - start)}`}</span>
      )}
      <span className={styles.spacer} />
      {onExportHar && trace.status !== 'running' && (
        <Button variant="quiet" icon="export" onClick={onExportHar}>
          Export HAR
        </Button>
      )}
    </header>
  )
}

const timeTitle = ({ startTime, runId }: Trace, end: number) =>
  `${new Date(startTime).toLocaleString()}, ${(end - startTime).toFixed(3)} ms, run ${runId}`
