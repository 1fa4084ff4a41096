import { Fragment, useState } from 'react'
import { Icon } from '../icon.tsx'
import styles from './diff-view.module.css'
import { type DiffEntry, sharedEnds } from './group-changes.ts'

const SHORT = 160
const GLYPH = { added: '+', removed: '−', changed: '~' } as const

/** One difference: what happened, where, and the values before and after. */
export function DiffRow({ entry }: { entry: DiffEntry }) {
  const { kind, before, after, warning } = entry
  const ends =
    before !== undefined && after !== undefined ? sharedEnds(before, after) : { head: 0, tail: 0 }
  return (
    <li className={styles.row}>
      <div className={styles.rowHead}>
        <span className={styles.kind} data-kind={kind}>
          <span aria-hidden="true">{GLYPH[kind]}</span> {kind}
        </span>
        <Path entry={entry} />
      </div>
      {before !== undefined && <Value side="before" text={before} {...ends} />}
      {after !== undefined && <Value side="after" text={after} {...ends} />}
      {warning !== undefined && (
        <p className={styles.warning}>
          <Icon name="warning" /> {warning}
        </p>
      )}
    </li>
  )
}

/** The path below its first key; a mark stands where it goes into a string of JSON. */
function Path({ entry: { path, jsonFrom } }: { entry: DiffEntry }) {
  const shown = path.length > 1 ? 1 : 0
  return (
    <span className={styles.path}>
      {path.map((step, depth) => {
        const isHidden = depth < shown
        const text = typeof step === 'number' ? `[${step}]` : step
        return (
          // A path never repeats a place, so depth and step name it.
          <Fragment key={`${depth} ${step}`}>
            {!isHidden && depth > shown && typeof step === 'string' && jsonFrom !== depth && '.'}
            {!isHidden && text}
            {jsonFrom === depth + 1 && (
              <span
                className={styles.json}
                title="This string holds JSON; it was compared by what it holds"
              >
                JSON in string
              </span>
            )}
          </Fragment>
        )
      })}
    </span>
  )
}

function Value({
  side,
  text,
  head,
  tail,
}: {
  side: 'before' | 'after'
  text: string
  head: number
  tail: number
}) {
  const [isFull, setFull] = useState(false)
  // The change itself must be in sight, however long what it shares with the other side is.
  const from = isFull || text.length <= SHORT ? 0 : Math.max(0, head - 40)
  const to = isFull ? text.length : Math.min(text.length, from + SHORT)
  const isCut = from > 0 || to < text.length
  const changeEnd = Math.max(head, text.length - tail)
  const marksAll = head === 0 && tail === 0
  return (
    <div className={styles.value} data-side={side}>
      <span className={styles.sign} aria-hidden="true">
        {side === 'before' ? '−' : '+'}
      </span>
      <code className={styles.text}>
        <span className="visually-hidden">{`${side}: `}</span>
        {from > 0 && '…'}
        {marksAll ? (
          text.slice(from, to)
        ) : (
          <>
            {text.slice(from, Math.min(head, to))}
            <b className={styles.changed}>
              {text.slice(Math.max(from, head), Math.min(changeEnd, to))}
            </b>
            {text.slice(changeEnd, Math.max(changeEnd, to))}
          </>
        )}
        {to < text.length && '…'}
        {(isCut || isFull) && (
          <button type="button" className={styles.more} onClick={() => setFull(!isFull)}>
            {isFull ? 'show less' : `show all ${text.length.toLocaleString('en')}`}
          </button>
        )}
      </code>
    </div>
  )
}
