import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { toPattern } from './find-in-text.ts'
import { Highlighted } from './highlighted.tsx'
import styles from './json-view.module.css'
import { foldLines, lineAt, lineText } from './text-lines.ts'
import { useColumns } from './use-columns.ts'

const LINE_PX = 20

/** A text of any length as numbered lines, folded at the width of the view. */
export function TextView({
  text,
  label,
  query = '',
  offset,
}: {
  text: string
  label: string
  query?: string
  /** The character to bring into view; it is marked. */
  offset?: number | undefined
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const digits = useMemo(() => String(Math.max(99, countLines(text))).length, [text])
  const columns = useColumns(scroller) - digits - 4
  const lines = useMemo(() => foldLines(text, columns > 20 ? columns : 80), [text, columns])
  // oxlint-disable-next-line react/incompatible-library -- nothing memoises what it returns
  const virtual = useVirtualizer({
    count: lines.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
  })
  const markedLine = offset === undefined ? -1 : lineAt(lines, offset)
  useEffect(() => {
    if (markedLine >= 0) virtual.scrollToIndex(markedLine, { align: 'center' })
  }, [markedLine, offset, virtual])
  const pattern = useMemo(() => (query === '' ? null : toPattern(query)), [query])

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      tabIndex={0}
      role="group"
      aria-label={label}
      data-focus="inset"
    >
      <div className={styles.canvas} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            className={styles.line}
            data-current={index === markedLine || undefined}
            style={{ transform: `translateY(${start}px)` }}
          >
            <span className={styles.number} style={{ width: `${digits}ch` }} aria-hidden="true">
              {lines.number[index] || ''}
            </span>
            <span className={styles.lineText}>
              <Highlighted text={lineText(text, lines, index)} pattern={pattern} />
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}

function countLines(text: string) {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
