import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
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
  useSyncExternalStore(tree.subscribe, tree.version)
  const [active, setActive] = useState<JsonRow>(() => tree.rowAt(0))
  const [full, setFull] = useState<ReadonlyMap<string, number>>(new Map())
  const pattern = useMemo(() => (query === '' ? null : toPattern(query)), [query])

  const keyOf = (row: number) => {
    const { doc, node } = tree.rowAt(row)
    return `${doc.docId}:${node}`
  }
  const count = tree.rowCount()
  // oxlint-disable-next-line react/incompatible-library -- nothing memoises what it returns
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    // An opened value has a height of its own, which must not outlive its closing.
    getItemKey: (row) =>
      full.size > 0 ? `${keyOf(row)}:${full.get(keyOf(row)) ?? 0}` : keyOf(row),
    overscan: 12,
  })
  const activeRow = tree.rowOf(active.doc, active.node)

  const goTo = (row: number) => {
    const target = Math.max(0, Math.min(count - 1, row))
    setActive(tree.rowAt(target))
    virtual.scrollToIndex(target)
  }
  const setFullOf = (row: number, chars: number) => setFull(new Map(full).set(keyOf(row), chars))

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
          : setFullOf(activeRow, full.get(keyOf(activeRow)) ? 0 : FULL_STEP),
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
          const shown = full.get(keyOf(at)) ?? 0
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
                onFull={(chars) => setFullOf(at, chars)}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
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
