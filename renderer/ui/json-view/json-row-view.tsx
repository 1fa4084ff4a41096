import { Icon } from '../icon.tsx'
import { CopyButton } from './copy-button.tsx'
import { Highlighted } from './highlighted.tsx'
import { type JsonIndex, kindOf } from './json-index.ts'
import { jsonPath } from './json-path.ts'
import { decodeString, type JsonRow, type JsonTree } from './json-tree.ts'
import styles from './json-view.module.css'

/** Characters of a long value that are shown at once when it is opened. */
export const FULL_STEP = 20_000
/** What the twisty and the margins take, and the button behind a cut value, in characters. */
const BESIDE_CHARS = 8
const BUTTON_CHARS = 12

interface JsonRowViewProps {
  tree: JsonTree
  row: JsonRow
  root: string
  pattern: RegExp | null
  /** Characters that fit on the line. */
  columns: number
  /** Characters shown of a value that was opened; 0 for one line. */
  full: number
  onFull: (chars: number) => void
}

/** What one line of the tree shows: twisty, key, value, and what can be done with it. */
export function JsonRowView({ tree, row, root, pattern, columns, full, onFull }: JsonRowViewProps) {
  const { doc, node } = row
  const { index } = doc
  const lens = tree.lensOf(doc, node)
  const canOpen = tree.canOpen(doc, node)
  const isOpen = canOpen && tree.isOpen(doc, node)
  const name = nameOf(index, node)
  const indent = doc.depth + (index.depth[node] ?? 0)
  const room = Math.max(16, columns - indent * 2 - name.length - BESIDE_CHARS)
  return (
    <>
      <span className={styles.twisty} aria-hidden="true">
        {canOpen && <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />}
      </span>
      {name !== '' && (
        <span className={index.keyStart[node] === -1 ? styles.ordinal : styles.key}>
          <Highlighted text={name} pattern={pattern} />
          <span className={styles.colon}>:</span>
        </span>
      )}
      {isRepeatedKey(index, node) && <span className={styles.badge}>repeated key</span>}
      {lens !== null && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.lens}
          aria-pressed={lens !== 'raw'}
          title={lens === 'raw' ? 'Show the JSON in this string' : 'Show this string as it is'}
          onClick={(event) => {
            event.stopPropagation()
            tree.setLens(doc, node, lens === 'raw' ? 'parsed' : 'raw')
          }}
        >
          {lens === 'pending'
            ? 'reading…'
            : lens === 'raw'
              ? 'text'
              : lens.index.isLines
                ? 'JSON lines in string'
                : 'JSON in string'}
        </button>
      )}
      {canOpen ? (
        <Container row={row} tree={tree} isOpen={isOpen} room={room} pattern={pattern} />
      ) : (
        <Scalar
          index={index}
          node={node}
          pattern={pattern}
          room={room}
          full={full}
          onFull={onFull}
        />
      )}
      <span className={styles.actions}>
        <CopyButton label="Copy value" tabIndex={-1} getText={() => valueText(index, node)} />
        <CopyButton
          label="Copy path"
          icon="list-tree"
          tabIndex={-1}
          getText={() => jsonPath(doc, node, root)}
        />
      </span>
    </>
  )
}

/** What copying a line gives: the very text of the value; a string without quotes and escapes. */
export function valueText(index: JsonIndex, node: number) {
  const token = index.text.slice(index.start[node], index.end[node])
  return kindOf(index, node) === 'string' ? decodeString(token) : token
}

function Container({
  row: { doc, node },
  tree,
  isOpen,
  room,
  pattern,
}: {
  row: JsonRow
  tree: JsonTree
  isOpen: boolean
  room: number
  pattern: RegExp | null
}) {
  const lens = tree.lensOf(doc, node)
  const at = lens !== null && typeof lens === 'object' ? { doc: lens, node: 0 } : { doc, node }
  const { index } = at.doc
  const count = index.childCount[at.node] ?? 0
  const noun = kindOf(index, at.node) === 'object' ? 'key' : 'item'
  const from = index.start[at.node] ?? 0
  const to = Math.min(index.end[at.node] ?? 0, from + room * 2)
  const preview = index.text.slice(from, to).replaceAll(/\s+/g, ' ')
  return (
    <>
      {!isOpen && (
        <span className={styles.preview}>
          <Highlighted text={preview} pattern={pattern} />
        </span>
      )}
      <span
        className={styles.count}
      >{`${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`}</span>
    </>
  )
}

function Scalar({
  index,
  node,
  pattern,
  room,
  full,
  onFull,
}: {
  index: JsonIndex
  node: number
  pattern: RegExp | null
  room: number
  full: number
  onFull: (chars: number) => void
}) {
  const start = index.start[node] ?? 0
  const end = index.end[node] ?? 0
  const length = end - start
  const isCut = length > (full || room)
  const shown = index.text.slice(start, isCut ? start + (full || room - BUTTON_CHARS) : end)
  const more = Math.min(FULL_STEP, length - full)
  return (
    <span
      className={styles.value}
      data-kind={kindOf(index, node)}
      data-full={full > 0 || undefined}
    >
      <span>
        <Highlighted text={shown} pattern={pattern} />
        {isCut && '…'}
      </span>
      {(isCut || full > 0) && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.more}
          onClick={(event) => {
            event.stopPropagation()
            onFull(isCut ? full + FULL_STEP : 0)
          }}
        >
          {!isCut
            ? 'show less'
            : full > 0
              ? `show ${more.toLocaleString('en')} more`
              : `show all ${length.toLocaleString('en')}`}
        </button>
      )}
    </span>
  )
}

/** The key as the text spells it; quotes only where leaving them out would mislead. */
function nameOf(index: JsonIndex, node: number) {
  if ((index.keyStart[node] ?? -1) < 0)
    return (index.parent[node] ?? -1) < 0 ? '' : String(index.ordinal[node])
  const token = index.text.slice(index.keyStart[node], index.keyEnd[node])
  return /^"[\w$.@/-]+"$/.test(token) ? token.slice(1, -1) : token
}

const repeatedByIndex = new WeakMap<JsonIndex, Map<number, ReadonlySet<number>>>()

/** Whether another member of the same object has the very same key. */
function isRepeatedKey(index: JsonIndex, node: number) {
  if ((index.keyStart[node] ?? -1) < 0) return false
  const parent = index.parent[node] ?? 0
  const known = repeatedByIndex.get(index) ?? new Map<number, ReadonlySet<number>>()
  repeatedByIndex.set(index, known)
  let repeated = known.get(parent)
  if (!repeated) {
    repeated = findRepeated(index, parent)
    known.set(parent, repeated)
  }
  return repeated.has(node)
}

function findRepeated(index: JsonIndex, parent: number) {
  const first = new Map<string, number>()
  const repeated = new Set<number>()
  const end = index.next[parent] ?? 0
  for (let node = parent + 1; node < end; node = index.next[node] ?? end) {
    const key = index.text.slice(index.keyStart[node], index.keyEnd[node])
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, node)
    else repeated.add(earlier).add(node)
  }
  return repeated
}
