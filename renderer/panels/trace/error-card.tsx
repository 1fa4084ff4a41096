import { useState } from 'react'
import type { ErrorSource } from '../../../gateway/contract/error-body.ts'
import type { SpanError } from '../../../gateway/contract/trace.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { sourceLabel } from './source-label.ts'
import styles from './trace.module.css'

/** A failure: which stage, where in the user's file, what, and the way there. */
export function ErrorCard({
  error,
  stageId,
  onOpenSource,
  onSelectStage,
}: {
  error: SpanError
  stageId: string | undefined
  onOpenSource: (source: ErrorSource) => void
  /** Absent where the stage is shown already. */
  onSelectStage?: (stageId: string) => void
}) {
  const [showsStack, setShowsStack] = useState(false)
  const { source, stack = [] } = error
  const where = source ? ` at ${sourceLabel(source)}` : ''
  return (
    <div className={styles.errorCard} data-testid="error-card" role="group" aria-label="Error">
      <Icon name="error" />
      <div className={styles.errorText}>
        <p className={styles.errorTitle}>
          {stageId === undefined ? `The run failed${where}` : `Stage ${stageId} failed${where}`}
          <span className={styles.errorType}>{error.type}</span>
        </p>
        <code className={styles.errorMessage}>{error.message}</code>
        {showsStack && <pre className={styles.stack}>{stack.join('\n')}</pre>}
        <div className={styles.errorActions}>
          {source && (
            <Button icon="go-to-file" onClick={() => onOpenSource(source)}>
              Go to line
            </Button>
          )}
          {stageId !== undefined && onSelectStage && (
            <Button variant="quiet" onClick={() => onSelectStage(stageId)}>
              Show stage
            </Button>
          )}
          {stack.length > 0 && (
            <Button
              variant="quiet"
              aria-expanded={showsStack}
              onClick={() => setShowsStack(!showsStack)}
            >
              {showsStack ? 'Hide stack' : 'Show stack'}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}
