import { memo } from 'react'
import type { Span } from '../../../gateway/contract/trace.ts'
import { Icon } from '../../ui/icon.tsx'
import { formatDuration } from '../../ui/quantity/format-duration.ts'
import { stageKind } from '../../ui/status/stage-kind.ts'
import { STATUS_LOOKS } from '../../ui/status/stage-status.ts'
import { StatusMark } from '../../ui/status/status-mark.tsx'
import { hasRun, shareOf, type TimeBounds } from './time-scale.ts'
import styles from './waterfall.module.css'

/** One stage: its state, its bar on the shared axis, and its times as text. Scrolling renders new rows only. */
export const WaterfallRow = memo(function WaterfallRow({
  rowId,
  span,
  position,
  top,
  bounds,
  now,
  responseTime,
  isSelected,
  onSelect,
}: {
  rowId: string
  span: Span
  /** 1-based row number, the head included. */
  position: number
  /** Pixels from the top of the list. */
  top: number
  bounds: TimeBounds
  now: number
  responseTime: number | undefined
  isSelected: boolean
  onSelect: (stageId: string) => void
}) {
  const { stageId, status } = span
  const { name, icon } = stageKind(span.use)
  const times = timesOf(span, bounds, now)
  const isBackground = responseTime !== undefined && (span.endTime ?? now) > responseTime + 0.5
  return (
    <div
      id={rowId}
      role="row"
      aria-level={1}
      aria-rowindex={position}
      aria-selected={isSelected}
      data-testid={status === 'disabled' ? 'trace-row-disabled' : 'trace-row'}
      data-stage={stageId}
      data-status={status}
      data-start-ms={times?.startMs}
      data-duration-ms={times?.durationMs}
      data-wait-ms={times?.waitMs}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onSelect(stageId)}
    >
      <span role="gridcell" className={styles.stage}>
        <StatusMark status={status} />
        <span className={styles.stageId} title={stageId}>
          {stageId}
        </span>
        {span.async && (
          <span className={styles.asyncMark} title="Runs beside the others">
            async
          </span>
        )}
      </span>
      <span role="gridcell" className={styles.kind} title={name}>
        <Icon name={icon} />
        <span>{name}</span>
      </span>
      <span role="gridcell" className={styles.timeline}>
        {times && <Bar span={span} bounds={bounds} now={now} isBackground={isBackground} />}
        <Note span={span} share={times ? shareOf(bounds, span.startTime) : 0} />
      </span>
      <Figure ms={times?.startMs} prefix="+" />
      <Figure ms={times?.durationMs} />
      <Figure ms={times?.waitMs} isQuiet={times?.waitMs === 0} />
    </div>
  )
})

function timesOf(span: Span, bounds: TimeBounds, now: number) {
  if (!hasRun(span)) return null
  if (span.status === 'waiting') return { waitMs: Math.max(0, now - span.queuedTime) }
  const end = span.endTime ?? (span.status === 'running' ? now : span.startTime)
  return {
    startMs: span.startTime - bounds.start,
    durationMs: Math.max(0, end - span.startTime),
    waitMs: span.waitMs,
  }
}

const Figure = ({
  ms,
  prefix = '',
  isQuiet,
}: {
  ms: number | undefined
  prefix?: string
  isQuiet?: boolean | undefined
}) => (
  <span
    role="gridcell"
    className={styles.figure}
    data-quiet={isQuiet || undefined}
    title={ms === undefined ? undefined : `${ms.toFixed(3)} ms`}
  >
    {ms === undefined ? '–' : `${prefix}${formatDuration(Math.max(0, ms))}`}
  </span>
)

function Bar({
  span,
  bounds,
  now,
  isBackground,
}: {
  span: Span
  bounds: TimeBounds
  now: number
  isBackground: boolean
}) {
  const place = (from: number, to: number) => ({
    left: `${shareOf(bounds, from) * 100}%`,
    width: `${(shareOf(bounds, to) - shareOf(bounds, from)) * 100}%`,
  })
  const end = span.endTime ?? (span.status === 'running' ? now : span.startTime)
  const isSkipped = span.status === 'skippedByTrigger' || span.status === 'skippedByNeed'
  return (
    <span className={styles.track} aria-hidden="true">
      {span.status === 'waiting' ? (
        <i className={styles.wait} style={place(span.queuedTime, now)} />
      ) : (
        span.waitMs > 0 && (
          <i className={styles.wait} style={place(span.startTime - span.waitMs, span.startTime)} />
        )
      )}
      {span.status !== 'waiting' && (
        <i
          className={styles.bar}
          data-tone={span.status === 'ok' && span.async ? 'async' : STATUS_LOOKS[span.status].tone}
          data-running={span.status === 'running' || undefined}
          data-skipped={isSkipped || undefined}
          data-background={isBackground || undefined}
          style={isSkipped ? { left: place(span.startTime, end).left } : place(span.startTime, end)}
        />
      )}
      {span.calls.map(({ startTime, endTime, url }) => (
        <i
          key={`${startTime} ${url}`}
          className={styles.call}
          style={place(startTime, endTime ?? end)}
        />
      ))}
    </span>
  )
}

/** Why there is no bar, beside the place where it would be. */
function Note({ span, share }: { span: Span; share: number }) {
  const text = span.reason ?? (hasRun(span) ? '' : STATUS_LOOKS[span.status].word)
  if (text === '') return null
  // On the roomier side of the mark, and never beyond the time column.
  const side =
    share < 0.5
      ? { left: `calc(${share * 100}% + 8px)`, maxWidth: `calc(${(1 - share) * 100}% - 8px)` }
      : { right: `calc(${(1 - share) * 100}% + 8px)`, maxWidth: `calc(${share * 100}% - 8px)` }
  return (
    <span className={styles.reason} style={side} title={text}>
      {text}
    </span>
  )
}
