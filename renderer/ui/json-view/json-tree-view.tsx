import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { toPattern } from './find-in-text.ts'
import { jsonPath } from './json-path.ts'
import { FULL_STEP, JsonRowView, valueText } from './json-row-view.tsx'
import { type JsonRow, type JsonTree, parentOf } from './json-tree.ts'
import styles from './json-view.module.css'
import { useColumns } from './use-columns.ts'

const ROW_PX = 22

/** The lines of a tree, of which only those in sight exist; one tab stop, moved by the arrow keys. */
export function JsonTreeView({
  tree,
  label,
  root,
  query = '',
  match,
}: {
  tree: JsonTree
  label: string
  root: string
  query?: string
  /** The line that the search stands at. */
  match?: JsonRow | undefined
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const treeId = useId()
  const columns = useColumns(scroller)
  const version = useSyncExternalStore(tree.subscribe, tree.version)
  const [chosen, setActive] = useState<JsonRow>(() => tree.rowAt(0))
  const [full, setFull] = useState<readonly OpenedValue[]>([])
  const pattern = useMemo(() => (query === '' ? null : toPattern(query)), [query])

  const count = tree.rowCount()
  // Few values are open at a time, and naming every line would cost a string for each of them.
  const openedAt = useMemo(() => rowsOf(tree, full, version), [tree, full, version])
  const getItemKey = useCallback((row: number) => openedAt.get(row)?.key ?? row, [openedAt])
  // oxlint-disable-next-line react/incompatible-library -- nothing memoises what it returns
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey,
    overscan: 12,
  })
  // What lies inside something closed is stood for by the closed line.
  const activeRow = Math.max(0, tree.rowOf(chosen.doc, chosen.node))
  const active = tree.rowAt(activeRow)

  const goTo = (row: number) => {
    const target = Math.max(0, Math.min(count - 1, row))
    setActive(tree.rowAt(target))
    virtual.scrollToIndex(target)
  }
  const setFullOf = ({ doc, node }: JsonRow, chars: number) => {
    const others = full.filter((opened) => opened.doc !== doc || opened.node !== node)
    setFull(chars > 0 ? [...others, { doc, node, chars }] : others)
  }

  useEffect(() => {
    if (!match) return
    tree.reveal(match.doc, match.node)
    setActive(match)
    virtual.scrollToIndex(tree.rowOf(match.doc, match.node), { align: 'center' })
  }, [match, tree, virtual])

  const toggle = ({ doc, node }: JsonRow) => {
    if (tree.canOpen(doc, node)) tree.setOpen(doc, node, !tree.isOpen(doc, node))
  }
  const isOpen = ({ doc, node }: JsonRow) => tree.canOpen(doc, node) && tree.isOpen(doc, node)
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 1
    const act = keyAction(event, {
      down: () => goTo(activeRow + 1),
      up: () => goTo(activeRow - 1),
      pageDown: () => goTo(activeRow + page),
      pageUp: () => goTo(activeRow - page),
      first: () => goTo(0),
      last: () => goTo(count - 1),
      open: () => (isOpen(active) ? goTo(activeRow + 1) : toggle(active)),
      close: () => {
        const parent = parentOf(active.doc, active.node)
        if (isOpen(active)) toggle(active)
        else if (parent && tree.rowOf(parent.doc, parent.node) >= 0)
          goTo(tree.rowOf(parent.doc, parent.node))
      },
      enter: () =>
        tree.canOpen(active.doc, active.node)
          ? toggle(active)
          : setFullOf(active, openedAt.has(activeRow) ? 0 : FULL_STEP),
      copyValue: () => copy(valueText(active.doc.index, active.node)),
      copyPath: () => copy(jsonPath(active.doc, active.node, root)),
    })
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="tree"
      aria-label={label}
      tabIndex={0}
      data-focus="inset"
      aria-activedescendant={`${treeId}-${activeRow}`}
      onKeyDown={onKeyDown}
    >
      <div className={styles.canvas} role="none" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index: at, key, start }) => {
          const row = tree.rowAt(at)
          const { doc, node } = row
          const depth = doc.depth + (doc.index.depth[node] ?? 0)
          const shown = openedAt.get(at)?.chars ?? 0
          return (
            <div
              key={key}
              id={`${treeId}-${at}`}
              ref={shown > 0 ? virtual.measureElement : undefined}
              data-index={at}
              role="treeitem"
              aria-level={Math.max(1, depth)}
              aria-posinset={(doc.index.ordinal[node] ?? 0) + 1}
              aria-setsize={doc.index.childCount[doc.index.parent[node] ?? -1] ?? 1}
              aria-expanded={tree.canOpen(doc, node) ? isOpen(row) : undefined}
              aria-selected={at === activeRow}
              className={styles.row}
              data-full={shown > 0 || undefined}
              data-match={(match?.node === node && match.doc === doc) || undefined}
              style={{
                transform: `translateY(${start}px)`,
                paddingLeft: `${4 + Math.max(0, depth - 1) * 14}px`,
                backgroundSize: `${Math.max(0, depth - 1) * 14}px 100%`,
              }}
              onClick={() => {
                setActive(row)
                if (getSelection()?.isCollapsed !== false) toggle(row)
              }}
            >
              <JsonRowView
                tree={tree}
                row={row}
                root={root}
                pattern={pattern}
                columns={columns}
                full={shown}
                onFull={(chars) => setFullOf(row, chars)}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** A long value shown over several lines, and how many of its characters. */
interface OpenedValue extends JsonRow {
  chars: number
}

/** Lines of the opened values, as of a version of the tree; the key changes with the height. */
function rowsOf(tree: JsonTree, opened: readonly OpenedValue[], _version: number) {
  const rows = new Map<number, { key: string; chars: number }>()
  for (const { doc, node, chars } of opened) {
    const row = tree.rowOf(doc, node)
    // Inside something closed, the line found is that of the closed one.
    if (row >= 0 && tree.rowAt(row).node === node && tree.rowAt(row).doc === doc)
      rows.set(row, { key: `${doc.docId}:${node}:${chars}`, chars })
  }
  return rows
}

const copy = (text: string) => void navigator.clipboard.writeText(text)

type Actions = Record<
  | 'down' | 'up' | 'pageDown' | 'pageUp' | 'first' | 'last'
  | 'open' | 'close' | 'enter' | 'copyValue' | 'copyPath',
  () => void
> // prettier-ignore

const KEYS: Record<string, keyof Actions> = {
  ArrowDown: 'down',
  ArrowUp: 'up',
  PageDown: 'pageDown',
  PageUp: 'pageUp',
  Home: 'first',
  End: 'last',
  ArrowRight: 'open',
  ArrowLeft: 'close',
  Enter: 'enter',
  ' ': 'enter',
}

function keyAction(event: KeyboardEvent, actions: Actions) {
  const letter = event.code === 'KeyC'
  if (letter && event.altKey && event.shiftKey) return actions.copyPath
  // Marked text is what the user wants then, and the browser copies it.
  if (letter && (event.ctrlKey || event.metaKey) && !event.shiftKey)
    return getSelection()?.isCollapsed === false ? undefined : actions.copyValue
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined
  const name = KEYS[event.key]
  return name && actions[name]
}
