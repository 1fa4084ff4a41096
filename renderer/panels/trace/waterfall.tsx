import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef } from 'react'
import type { Trace } from '../../../gateway/contract/trace.ts'
import { useSize } from '../../ui/use-size.ts'
import { boundsOf, shareOf, type TimeBounds, ticksOf } from './time-scale.ts'
import { WaterfallRow } from './waterfall-row.tsx'
import styles from './waterfall.module.css'

const ROW_PX = 24
const PX_PER_TICK = 72
const PX_PER_LABEL = 16
const PX_PER_NOTE = 96

/** Pixels that so many rows and their head take. */
export const waterfallHeight = (rows: number) => (rows + 1) * ROW_PX + 6

/** The stages of a run over time, one row a stage; of very many only those in sight exist. */
export function Waterfall({
  trace,
  now,
  selectedStageId,
  onSelectStage,
}: {
  trace: Trace
  now: number
  selectedStageId: string | undefined
  onSelectStage: (stageId: string) => void
}) {
  const gridId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const axis = useRef<HTMLDivElement>(null)
  const axisWidth = useSize(axis).width
  const spans = useMemo(() => trace.spans.toSorted((a, b) => a.index - b.index), [trace.spans])
  const bounds = useMemo(() => boundsOf(trace, now), [trace, now])
  const selected = spans.findIndex(({ stageId }) => stageId === selectedStageId)

  // oxlint-disable-next-line react/incompatible-library -- nothing memoises what it returns
  const virtual = useVirtualizer({
    count: spans.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    // The head stands above the rows and stays.
    scrollPaddingEnd: ROW_PX,
    // A pipeline has at most 200 stages: all of them are there to be found and read.
    overscan: spans.length <= 200 ? 200 : 16,
  })
  useEffect(() => {
    if (selected >= 0) virtual.scrollToIndex(selected)
  }, [selected, virtual])

  const onKeyDown = (event: KeyboardEvent) => {
    // Mod+Enter sends the request again.
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 1)
    const next = nextRow(event, { at: selected, count: spans.length, page })
    const stageId = spans[next]?.stageId
    if (stageId === undefined) return
    event.preventDefault()
    onSelectStage(stageId)
  }

  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.grid}
        role="treegrid"
        aria-label="Stages over time"
        aria-rowcount={spans.length + 1}
        aria-activedescendant={selected >= 0 ? `${gridId}-${selected}` : undefined}
        tabIndex={0}
        data-focus="inset"
        onKeyDown={onKeyDown}
      >
        <HeadRow axis={axis} axisWidth={axisWidth} bounds={bounds} />
        <Backdrop axisWidth={axisWidth} bounds={bounds} responseTime={trace.responseTime} />
        <div className={styles.canvas} role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const span = spans[index]
            return (
              span && (
                <WaterfallRow
                  key={span.stageId}
                  rowId={`${gridId}-${index}`}
                  span={span}
                  position={index + 2}
                  top={start}
                  bounds={bounds}
                  now={now}
                  responseTime={trace.responseTime}
                  isSelected={index === selected}
                  onSelect={onSelectStage}
                />
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}

function HeadRow({
  axis,
  axisWidth,
  bounds,
}: {
  axis: RefObject<HTMLDivElement | null>
  axisWidth: number
  bounds: TimeBounds
}) {
  // A label at the very end would run into the next column.
  const ticks = ticksFor(bounds, axisWidth).filter(
    ({ offsetMs }) =>
      (1 - shareOf(bounds, bounds.start + offsetMs)) * axisWidth >= PX_PER_LABEL || offsetMs === 0,
  )
  return (
    <div className={styles.head} role="row" aria-rowindex={1}>
      <span role="columnheader">Stage</span>
      <span role="columnheader" className={styles.kind}>
        Kind
      </span>
      <div role="columnheader" ref={axis} className={styles.axis} aria-label="Time">
        {ticks.map(({ offsetMs, label }) => (
          <span
            key={offsetMs}
            className={styles.tick}
            style={{ left: `${shareOf(bounds, bounds.start + offsetMs) * 100}%` }}
          >
            {label}
          </span>
        ))}
      </div>
      <span role="columnheader" className={styles.figure}>
        Start
      </span>
      <span role="columnheader" className={styles.figure}>
        Duration
      </span>
      <span role="columnheader" className={styles.figure} title="Time spent waiting for needs">
        Wait
      </span>
    </div>
  )
}

/** Grid lines and the moment of the answer, behind all rows. */
function Backdrop({
  axisWidth,
  bounds,
  responseTime,
}: {
  axisWidth: number
  bounds: TimeBounds
  responseTime: number | undefined
}) {
  const isEarly = responseTime !== undefined && shareOf(bounds, responseTime) < 0.995
  return (
    <div className={styles.backdrop} aria-hidden="true">
      <div>
        <div className={styles.lines}>
          {ticksFor(bounds, axisWidth).map(({ offsetMs }) => (
            <i
              key={offsetMs}
              style={{ left: `${shareOf(bounds, bounds.start + offsetMs) * 100}%` }}
            />
          ))}
          {isEarly && (
            <div
              className={styles.after}
              style={{ left: `${shareOf(bounds, responseTime) * 100}%` }}
            >
              {(1 - shareOf(bounds, responseTime)) * axisWidth > PX_PER_NOTE && (
                <span>after the answer</span>
              )}
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

const ticksFor = ({ start, end }: TimeBounds, width: number) =>
  ticksOf(end - start, Math.max(2, Math.floor(width / PX_PER_TICK)))

function nextRow(
  { key }: KeyboardEvent,
  { at, count, page }: { at: number; count: number; page: number },
) {
  const target: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: count - 1,
    Enter: Math.max(0, at),
  }
  const next = target[key]
  return next === undefined ? -1 : Math.min(count - 1, Math.max(0, next))
}
