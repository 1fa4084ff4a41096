import styles from './json-view.module.css'

/** Text with every match of a pattern marked. */
export function Highlighted({ text, pattern }: { text: string; pattern: RegExp | null }) {
  if (!pattern) return text
  const parts: (string | { start: number; match: string })[] = []
  let from = 0
  for (const { 0: match, index } of text.matchAll(pattern)) {
    parts.push(text.slice(from, index), { start: index, match })
    from = index + match.length
  }
  parts.push(text.slice(from))
  return parts.map((part) =>
    typeof part === 'string' ? (
      part
    ) : (
      <mark key={part.start} className={styles.match}>
        {part.match}
      </mark>
    ),
  )
}
