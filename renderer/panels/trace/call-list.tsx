import type { OutgoingCall, Span } from '../../../gateway/contract/trace.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatBytes, formatExactBytes } from '../../ui/quantity/format-bytes.ts'
import { formatDuration } from '../../ui/quantity/format-duration.ts'
import { HttpStatus } from '../../ui/status/http-status.tsx'
import styles from './inspector.module.css'
import { shareOf, type TimeBounds } from './time-scale.ts'

/** The requests a stage sent, on the time axis of the stage. */
export function CallList({ span }: { span: Span }) {
  const { calls } = span
  if (calls.length === 0)
    return (
      <EmptyState
        icon="call-outgoing"
        text="Requests that a stage sends, to the engine or anywhere else, appear here."
      />
    )
  const bounds = {
    start: span.startTime,
    end: Math.max(
      span.endTime ?? 0,
      ...calls.map(({ startTime, endTime }) => endTime ?? startTime),
      span.startTime + 0.1,
    ),
  }
  return (
    <div
      className={styles.scroller}
      tabIndex={0}
      role="group"
      aria-label="Outgoing calls"
      data-focus="inset"
    >
      <table className={styles.calls}>
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Status</th>
            <th scope="col" className={styles.timingHead}>
              Time in the stage
            </th>
            <th scope="col" className={styles.number}>
              Duration
            </th>
            <th scope="col" className={styles.number}>
              Sent
            </th>
            <th scope="col" className={styles.number}>
              Received
            </th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <CallRow
              key={`${call.startTime} ${call.method} ${call.url}`}
              call={call}
              bounds={bounds}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function CallRow({ call, bounds }: { call: OutgoingCall; bounds: TimeBounds }) {
  const { method, url, status, startTime, endTime, requestBytes, responseBytes, error } = call
  const left = shareOf(bounds, startTime)
  const right = shareOf(bounds, endTime ?? bounds.end)
  return (
    <tr>
      <td className={styles.request}>
        <span className={styles.method}>{method}</span>
        <span className={styles.url} title={url}>
          {url}
        </span>
        {error !== undefined && <span className={styles.callError}>{error}</span>}
      </td>
      <td>
        {status !== undefined ? (
          <HttpStatus code={status} />
        ) : (
          <span className={styles.callError}>{error === undefined ? 'waiting…' : 'no answer'}</span>
        )}
      </td>
      <td>
        <span className={styles.timing} aria-hidden="true">
          <i
            data-failed={error !== undefined || undefined}
            style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }}
          />
        </span>
      </td>
      <td className={styles.number}>
        {endTime === undefined ? '–' : formatDuration(endTime - startTime)}
      </td>
      <td className={styles.number} title={formatExactBytes(requestBytes)}>
        {formatBytes(requestBytes)}
      </td>
      <td
        className={styles.number}
        title={responseBytes === undefined ? undefined : formatExactBytes(responseBytes)}
      >
        {responseBytes === undefined ? '–' : formatBytes(responseBytes)}
      </td>
    </tr>
  )
}
