import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { StatusMark } from '../../ui/status/status-mark.tsx'
import type { ResponseExchange } from './response-panel.tsx'
import styles from './response.module.css'

/** Says that there is no answer and why; a line above the trace where there is one. */
export function NoAnswer({
  exchange: { request, state, message },
  sendKeys,
  isAlone,
}: {
  exchange: ResponseExchange
  sendKeys: string
  isAlone: boolean
}) {
  const what = `${request.method} ${request.path}`
  const isCancelled = state === 'cancelled'
  return (
    <>
      <div className={styles.noAnswer} data-state={state} role={isCancelled ? 'status' : 'alert'}>
        {isCancelled ? <StatusMark status="cancelled" /> : <Icon name="error" />}
        <span>
          {isCancelled ? 'Cancelled: ' : 'No answer to '}
          <code>{what}</code>
          {!isCancelled && message !== undefined && `. ${message}`}
        </span>
      </div>
      {isAlone && (
        <EmptyState
          icon={isCancelled ? 'circle-slash' : 'debug-disconnect'}
          text={
            isCancelled
              ? 'The request was cancelled before an answer came.'
              : 'The request could not be sent, or its answer never arrived.'
          }
          keys={sendKeys}
        />
      )}
    </>
  )
}
