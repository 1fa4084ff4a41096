import { Fragment } from 'react'
import { Icon } from '../icon.tsx'
import { DiffValue } from './diff-value.tsx'
import styles from './diff-view.module.css'
import { type DiffEntry, sharedEnds } from './group-changes.ts'

const GLYPH = { added: '+', removed: '−', changed: '~' } as const

/** One difference: what happened, where, and the values before and after. */
export function DiffRow({ entry }: { entry: DiffEntry }) {
  const { kind, before, after, warning } = entry
  const shared = before !== undefined && after !== undefined ? sharedEnds(before, after) : null
  return (
    <li className={styles.row}>
      <div className={styles.rowHead}>
        <span className={styles.kind} data-kind={kind}>
          <span aria-hidden="true">{GLYPH[kind]}</span> {kind}
        </span>
        <Path entry={entry} />
      </div>
      {before !== undefined && <DiffValue side="before" text={before} shared={shared} />}
      {after !== undefined && <DiffValue side="after" text={after} shared={shared} />}
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
