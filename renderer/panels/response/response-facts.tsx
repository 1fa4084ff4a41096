import type { SendResponse } from '../../../gateway/contract/exchange.ts'
import { formatBytes, formatExactBytes } from '../../ui/quantity/format-bytes.ts'
import { formatDuration } from '../../ui/quantity/format-duration.ts'
import { Icon } from '../../ui/icon.tsx'
import { HttpStatus } from '../../ui/status/http-status.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { headerOf } from './body-kind.ts'
import styles from './response.module.css'

/** Status, total time and size of an answer; what they are made of is in their tooltips. */
export function ResponseFacts({
  response,
  expectStatus,
}: {
  response: SendResponse
  expectStatus: number | undefined
}) {
  const { status, statusText, wireBytes, bodyBytes, firstByteMs, totalMs } = response
  const encoding = headerOf(response, 'content-encoding')
  const times = `First byte after ${formatDuration(firstByteMs)}\nBody in ${formatDuration(totalMs - firstByteMs)}\nTotal ${totalMs.toFixed(3)} ms`
  const sizes = `On the wire ${formatExactBytes(wireBytes)}${encoding && ` (${encoding})`}\nDecoded ${formatExactBytes(bodyBytes)}`
  return (
    <div className={styles.facts}>
      <span data-testid="response-status">
        <HttpStatus code={status} text={statusText} />
      </span>
      {expectStatus !== undefined && expectStatus !== status && (
        <span className={styles.unexpected}>
          <Icon name="warning" /> {`expected ${expectStatus}`}
        </span>
      )}
      <Tooltip text={times}>
        <button type="button" className={styles.fact} data-testid="response-time">
          {formatDuration(totalMs)}
        </button>
      </Tooltip>
      <Tooltip text={sizes}>
        <button type="button" className={styles.fact} data-testid="response-size">
          {formatBytes(bodyBytes)}
          {wireBytes < bodyBytes && encoding !== '' && (
            <span className={styles.wire}>{`${formatBytes(wireBytes)} sent`}</span>
          )}
        </button>
      </Tooltip>
    </div>
  )
}
