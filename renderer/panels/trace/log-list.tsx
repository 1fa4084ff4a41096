import { useState } from 'react'
import type { ErrorSource } from '../../../gateway/contract/error-body.ts'
import type { LogEntry } from '../../../gateway/contract/trace.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { JsonInline } from '../../ui/json-view/json-inline.tsx'
import { formatDuration } from '../../ui/quantity/format-duration.ts'
import styles from './inspector.module.css'
import { sourceLabel } from './source-label.ts'

const STEP = 500

const ICONS: Record<LogEntry['level'], string> = {
  debug: 'bug',
  log: 'output',
  info: 'info',
  warn: 'warning',
  error: 'error',
}

/** What a stage wrote to the console, each value as it was at that moment. */
export function LogList({
  logs,
  runStart,
  onOpenSource,
}: {
  logs: readonly LogEntry[]
  runStart: number
  onOpenSource: (source: ErrorSource) => void
}) {
  const [limit, setLimit] = useState(STEP)
  if (logs.length === 0)
    return <EmptyState icon="output" text="What a script writes with console.log appears here." />
  return (
    <div className={styles.scroller} tabIndex={0} role="group" aria-label="Log" data-focus="inset">
      <ul className={styles.logs}>
        {logs.slice(0, limit).map((entry, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- entries are only ever appended
          <li key={at} className={styles.log} data-level={entry.level}>
            <span className={styles.level} title={entry.level}>
              <Icon name={ICONS[entry.level]} />
              <span className="visually-hidden">{entry.level}</span>
            </span>
            <time className={styles.logTime} title={new Date(entry.at).toLocaleString()}>
              {`+${formatDuration(Math.max(0, entry.at - runStart))}`}
            </time>
            <div className={styles.values}>
              {entry.values.map(({ kind, text }, place) =>
                kind === 'text' || text.startsWith('"') ? (
                  // oxlint-disable-next-line react/no-array-index-key -- a value has its place only
                  <span key={place} className={styles.logText}>
                    {plainText(kind, text)}
                  </span>
                ) : (
                  // oxlint-disable-next-line react/no-array-index-key -- a value has its place only
                  <JsonInline key={place} text={text} label={`value ${place + 1}`} />
                ),
              )}
            </div>
            {entry.source && <SourceLink source={entry.source} onOpen={onOpenSource} />}
          </li>
        ))}
      </ul>
      {logs.length > limit && (
        <button type="button" className={styles.link} onClick={() => setLimit(limit + STEP)}>
          {`Show ${Math.min(STEP, logs.length - limit)} more`}
        </button>
      )}
    </div>
  )
}

function SourceLink({
  source,
  onOpen,
}: {
  source: ErrorSource
  onOpen: (source: ErrorSource) => void
}) {
  return (
    <button
      type="button"
      className={styles.link}
      title={`${source.file}, line ${source.line}, column ${source.column}`}
      onClick={() => onOpen(source)}
    >
      {sourceLabel(source)}
    </button>
  )
}

/** A string without its quotes and escapes, as a console shows it. */
function plainText(kind: 'json' | 'text', text: string) {
  // Safe: the recorder wrote this JSON, and a string has no digits to lose.
  return kind === 'json' ? (JSON.parse(text) as string) : text
}
