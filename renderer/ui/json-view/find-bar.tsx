import { IconButton } from '../icon-button.tsx'
import { MAX_MATCHES } from './find-in-text.ts'
import styles from './json-view.module.css'
import type { Find } from './use-find.ts'

/** The line to search with: what, how many, previous and next. */
export function FindBar<Match>({
  find,
  label,
  onClose,
}: {
  find: Find<Match>
  label: string
  onClose: () => void
}) {
  const { matches, at, query } = find
  const total =
    matches.length === MAX_MATCHES ? `${MAX_MATCHES.toLocaleString('en')}+` : matches.length
  const count = query === '' ? '' : matches.length === 0 ? 'No matches' : `${at + 1} of ${total}`
  return (
    <div className={styles.find} role="search" aria-label={`Find in ${label}`}>
      <input
        autoFocus
        className={styles.findInput}
        aria-label={`Find in ${label}`}
        placeholder="Find"
        spellCheck={false}
        value={query}
        onChange={(event) => find.setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose()
          else if (event.key === 'Enter' || event.key === 'F3') find.move(event.shiftKey ? -1 : 1)
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <output className={styles.findCount} aria-live="polite">
        {count}
      </output>
      <IconButton
        icon="arrow-up"
        label="Previous match"
        keys="Shift+Enter"
        onClick={() => find.move(-1)}
      />
      <IconButton icon="arrow-down" label="Next match" keys="Enter" onClick={() => find.move(1)} />
      <IconButton icon="close" label="Close search" keys="Esc" onClick={onClose} />
    </div>
  )
}
