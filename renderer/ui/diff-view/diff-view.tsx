import { useState } from 'react'
import { Icon } from '../icon.tsx'
import { DiffRow } from './diff-row.tsx'
import styles from './diff-view.module.css'
import { type DiffEntry, type DiffGroup, groupChanges } from './group-changes.ts'

const STEP = 200

/** What changed between two states, key by key. */
export function DiffView({
  changes,
  isCut = false,
  emptyText = 'Nothing changed.',
}: {
  changes: readonly DiffEntry[]
  /** True when there were more changes than are listed. */
  isCut?: boolean
  emptyText?: string
}) {
  if (changes.length === 0) return <p className={styles.empty}>{emptyText}</p>
  return (
    <div className={styles.view}>
      {groupChanges(changes).map((group) => (
        <Group key={group.key} group={group} />
      ))}
      {isCut && (
        <p className={styles.note}>
          <Icon name="info" /> There are more changes than are listed here.
        </p>
      )}
    </div>
  )
}

function Group({ group: { key, entries } }: { group: DiffGroup }) {
  const [isOpen, setOpen] = useState(true)
  const [limit, setLimit] = useState(STEP)
  return (
    <section className={styles.group}>
      <button
        type="button"
        className={styles.groupHead}
        data-focus="inset"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span className={styles.groupKey}>{key || 'context'}</span>
        <span className={styles.count}>
          {entries.length === 1 ? '1 change' : `${entries.length.toLocaleString('en')} changes`}
        </span>
      </button>
      {isOpen && (
        <ul>
          {entries.slice(0, limit).map((entry) => (
            <DiffRow key={`${entry.kind} ${JSON.stringify(entry.path)}`} entry={entry} />
          ))}
        </ul>
      )}
      {isOpen && entries.length > limit && (
        <button type="button" className={styles.more} onClick={() => setLimit(limit + STEP)}>
          {`Show ${Math.min(STEP, entries.length - limit)} more`}
        </button>
      )}
    </section>
  )
}
