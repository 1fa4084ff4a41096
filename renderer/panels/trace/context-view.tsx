import type { Span } from '../../../gateway/contract/trace.ts'
import { JsonView } from '../../ui/json-view/json-view.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './inspector.module.css'
import type { SnapshotState } from './use-snapshot.ts'

const TITLES = { input: 'Input', output: 'Output' } as const

/** The context before or after a stage; bodies, which are strings, open as the JSON they hold. */
export function ContextView({
  side,
  snapshot,
  span,
}: {
  side: 'input' | 'output'
  snapshot: SnapshotState
  span: Span
}) {
  const title = TITLES[side]
  const text = snapshot.state === 'loaded' ? snapshot[side] : null
  return (
    <section className={styles.column} aria-label={title} data-testid={`stage-${side}`}>
      {text !== null ? (
        <JsonView
          text={text}
          label={`${title} of ${span.stageId}`}
          root="context"
          title={<h3 className={styles.columnTitle}>{title}</h3>}
        />
      ) : (
        <>
          <h3 className={styles.columnHead}>{title}</h3>
          <p className={styles.absent} role={snapshot.state === 'failed' ? 'alert' : undefined}>
            {snapshot.state === 'loading' ? (
              <>
                <Spinner /> <span className="visually-hidden">Loading</span>
              </>
            ) : snapshot.state === 'failed' ? (
              `The context could not be loaded: ${snapshot.message}`
            ) : (
              absence(side, span)
            )}
          </p>
        </>
      )}
    </section>
  )
}

function absence(side: 'input' | 'output', { status }: Span) {
  if (status === 'running') return 'Still running; the output follows.'
  if (status === 'waiting') return 'Still waiting for the stages it needs.'
  if (status === 'failed' || status === 'continued')
    return side === 'output' ? 'A stage that fails has no output.' : 'No input was recorded.'
  if (status === 'cancelled') return 'The run was cancelled before this stage was done.'
  return 'This stage did not run.'
}
