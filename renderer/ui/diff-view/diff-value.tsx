import { useState } from 'react'
import { JsonInline } from '../json-view/json-inline.tsx'
import styles from './diff-view.module.css'
import type { SharedEnds } from './group-changes.ts'
import { structuredValue } from './structured-value.ts'

const SHORT = 160
const CONTEXT = 40

/** A value before or after: objects open as trees, in texts only what differs is marked. */
export function DiffValue({
  side,
  text,
  shared,
}: {
  side: 'before' | 'after'
  text: string
  /** What it shares with the other side; null when that is too little to be worth marking. */
  shared: SharedEnds | null
}) {
  const structured = structuredValue(text)
  return (
    <div className={styles.value} data-side={side}>
      <span className={styles.sign} aria-hidden="true">
        {side === 'before' ? '−' : '+'}
      </span>
      <span className="visually-hidden">{`${side}: `}</span>
      {structured ? (
        <div className={styles.structured}>
          {structured.isString && <span className={styles.json}>JSON in string</span>}
          <JsonInline text={structured.text} label={`value ${side}`} />
        </div>
      ) : (
        <Text text={text} {...(shared ?? { head: 0, tail: text.length })} />
      )}
    </div>
  )
}

function Text({ text, head, tail }: { text: string } & SharedEnds) {
  const [isFull, setFull] = useState(false)
  // The change itself must be in sight, however long what it shares with the other side is.
  const from = isFull || text.length <= SHORT ? 0 : Math.max(0, head - CONTEXT)
  const to = isFull ? text.length : Math.min(text.length, from + SHORT)
  const changeEnd = Math.max(head, text.length - tail)
  return (
    <code className={styles.text}>
      {from > 0 && '…'}
      {text.slice(from, Math.min(head, to))}
      <b className={styles.changed}>{text.slice(Math.max(from, head), Math.min(changeEnd, to))}</b>
      {text.slice(Math.max(from, changeEnd), Math.max(changeEnd, to))}
      {to < text.length && '…'}
      {(isFull || from > 0 || to < text.length) && (
        <button type="button" className={styles.more} onClick={() => setFull(!isFull)}>
          {isFull ? 'show less' : `show all ${text.length.toLocaleString('en')}`}
        </button>
      )}
    </code>
  )
}
