import { Button } from '../../ui/button.tsx'
import { formatDuration } from '../../ui/quantity/format-duration.ts'
import { useNow } from '../../ui/use-now.ts'
import { Spinner } from '../../ui/spinner.tsx'
import type { ResponseExchange } from './response-panel.tsx'
import styles from './response.module.css'

const PATIENCE_MS = 1000

/** What is under way, for how long, and the way to stop it. */
export function SendingBar({
  exchange: { request, startTime },
  onCancel,
}: {
  exchange: ResponseExchange
  onCancel: () => void
}) {
  const elapsedMs = Math.max(0, useNow(true) - startTime)
  return (
    <div className={styles.sending} role="status">
      <Spinner />
      <span className={styles.sendingText}>
        {elapsedMs < PATIENCE_MS ? 'Sending ' : 'Waiting for the answer to '}
        <code>{`${request.method} ${request.path}`}</code>
      </span>
      {/* Spoken once, not twenty times a second. */}
      <span className={styles.elapsed} aria-hidden="true" data-testid="elapsed">
        {formatDuration(Math.round(elapsedMs / 10) * 10)}
      </span>
      <Button data-testid="cancel-send" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
