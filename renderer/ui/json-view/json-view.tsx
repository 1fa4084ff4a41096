import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'
import { IconButton } from '../icon-button.tsx'
import { CopyButton } from './copy-button.tsx'
import { FindBar } from './find-bar.tsx'
import { findInText } from './find-in-text.ts'
import { findInTree } from './find-in-tree.ts'
import type { JsonProblem } from './json-index.ts'
import { JsonTreeView } from './json-tree-view.tsx'
import styles from './json-view.module.css'
import { TextView } from './text-view.tsx'
import { useFind } from './use-find.ts'
import { useJson } from './use-json.ts'

/**
 * A text of any size, as a tree when it is JSON. Every digit, escape, repeated key and the order of
 * keys is what the text says; copying gives the text itself.
 */
export function JsonView({
  text,
  label,
  format = 'json',
  root = '',
  title,
  actions,
}: {
  text: string
  /** Name for assistive technology, such as `Response body`. */
  label: string
  /** `text` never tries to read JSON. */
  format?: 'json' | 'text'
  /** What copied paths begin with, such as `context`. */
  root?: string
  /** Stands at the left of the toolbar. */
  title?: ReactNode
  /** Further controls at its right end. */
  actions?: ReactNode
}) {
  const [isRaw, setRaw] = useState(false)
  const [isFinding, setFinding] = useState(false)
  const opener = useRef<HTMLElement>(null)
  const [problemOffset, setProblemOffset] = useState<number>()
  const json = useJson(text, format === 'json' && text !== '')
  const tree = json?.state === 'tree' && !isRaw ? json.tree : null

  const search = useCallback(
    (query: string, signal: AbortSignal) =>
      query === ''
        ? Promise.resolve([])
        : tree
          ? findInTree(tree.root, query, signal)
          : findInText(text, query, signal),
    [tree, text],
  )
  const find = useFind<Awaited<ReturnType<typeof search>>[number]>(search)
  const match = isFinding ? find.matches[find.at] : undefined
  const query = isFinding ? find.query : ''

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.code !== 'KeyF' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    opener.current = event.target instanceof HTMLElement ? event.target : null
    setFinding(true)
  }
  const closeFind = () => {
    setFinding(false)
    opener.current?.focus()
  }

  return (
    <div className={styles.view} onKeyDown={onKeyDown}>
      <div className={styles.bar}>
        {title}
        {json?.state === 'tree' && <Modes isRaw={isRaw} onChange={setRaw} />}
        <span className={styles.spacer} />
        {tree && (
          <>
            <IconButton
              icon="expand-all"
              label="Expand all"
              onClick={() => tree.setAllOpen(true)}
            />
            <IconButton
              icon="collapse-all"
              label="Collapse all"
              onClick={() => tree.setAllOpen(false)}
            />
          </>
        )}
        <IconButton
          icon="search"
          label="Find"
          keys="Ctrl+F"
          aria-pressed={isFinding}
          onClick={(event) => {
            opener.current = event.currentTarget
            setFinding(!isFinding)
          }}
        />
        <CopyButton label="Copy all" getText={() => text} />
        {actions}
      </div>
      {isFinding && <FindBar find={find} label={label} onClose={closeFind} />}
      {json?.state === 'invalid' && (
        <ProblemNote problem={json.problem} onShow={() => setProblemOffset(json.problem.offset)} />
      )}
      {json?.state === 'reading' && !isRaw ? (
        <p className={styles.reading} role="status">
          {`Reading ${(text.length / 1e6).toFixed(1)} MB… ${Math.round(json.progress * 100)} %`}
        </p>
      ) : tree ? (
        <JsonTreeView
          key={tree.treeId}
          tree={tree}
          label={label}
          root={root}
          query={query}
          match={typeof match === 'object' ? match : undefined}
        />
      ) : (
        <TextView
          text={text}
          label={label}
          query={query}
          offset={typeof match === 'number' ? match : problemOffset}
        />
      )}
    </div>
  )
}

const Modes = ({ isRaw, onChange }: { isRaw: boolean; onChange: (isRaw: boolean) => void }) => (
  <div className={styles.modes} role="group" aria-label="Show as">
    <button type="button" aria-pressed={!isRaw} onClick={() => onChange(false)}>
      Tree
    </button>
    <button type="button" aria-pressed={isRaw} onClick={() => onChange(true)}>
      Text
    </button>
  </div>
)

const ProblemNote = ({ problem, onShow }: { problem: JsonProblem; onShow: () => void }) => (
  <div className={styles.problem} role="note">
    <Icon name="warning" />
    <span>
      {`Not valid JSON, shown as text: ${problem.message} (line ${problem.line}, column ${problem.column}).`}
    </span>
    <button type="button" className={styles.more} onClick={onShow}>
      Show
    </button>
  </div>
)
