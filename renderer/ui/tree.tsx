import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './tree.module.css'

/** One node of a `Tree`. Nodes with `children` (even none) can be opened. */
export interface TreeNode {
  nodeId: string
  label: string
  icon?: string
  /** Marks at the right end of the row. */
  end?: ReactNode
  tooltip?: string
  children?: readonly TreeNode[]
}

interface Row {
  node: TreeNode
  level: number
}

/** A tree with one tab stop and the keyboard of the ARIA tree pattern. Everything starts open. */
export function Tree({
  label,
  nodes,
  selectedId,
  onSelect,
  onActivate,
}: {
  label: string
  nodes: readonly TreeNode[]
  selectedId?: string | undefined
  /** A click or Space. */
  onSelect: (nodeId: string) => void
  /** A double click or Enter; `onSelect` when left out. */
  onActivate?: (nodeId: string) => void
}) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [focusedId, setFocusedId] = useState<string>()
  const rows = visibleRows(nodes, closed)
  const currentId = rows.some(({ node }) => node.nodeId === focusedId)
    ? focusedId
    : (rows.find(({ node }) => node.nodeId === selectedId) ?? rows[0])?.node.nodeId

  const setOpen = (nodeId: string, isOpen: boolean) =>
    setClosed((before) => {
      const after = new Set(before)
      if (isOpen) after.delete(nodeId)
      else after.add(nodeId)
      return after
    })

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const at = rows.findIndex(({ node }) => node.nodeId === currentId)
    const row = rows[at]
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const isOpen = !closed.has(row.node.nodeId)
    const focusRow = (index: number) => {
      const target = rows[index]
      if (!target) return
      setFocusedId(target.node.nodeId)
      event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')[index]?.focus()
    }
    const actions: Record<string, () => void> = {
      ArrowDown: () => focusRow(at + 1),
      ArrowUp: () => focusRow(at - 1),
      Home: () => focusRow(0),
      End: () => focusRow(rows.length - 1),
      ArrowRight: () =>
        row.node.children && !isOpen ? setOpen(row.node.nodeId, true) : focusRow(at + 1),
      ArrowLeft: () =>
        row.node.children && isOpen
          ? setOpen(row.node.nodeId, false)
          : focusRow(rows.findLastIndex((one, i) => i < at && one.level < row.level)),
      ' ': () => onSelect(row.node.nodeId),
      Enter: () => (onActivate ?? onSelect)(row.node.nodeId),
    }
    const action = actions[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }

  return (
    <div role="tree" aria-label={label} className={styles.tree} onKeyDown={onKeyDown}>
      {rows.map(({ node, level }) => {
        const isOpen = !closed.has(node.nodeId)
        return (
          <div
            key={node.nodeId}
            role="treeitem"
            data-focus="inset"
            data-node={node.nodeId}
            className={styles.row}
            style={{ paddingLeft: 8 + (level - 1) * 12 }}
            aria-level={level}
            aria-selected={node.nodeId === selectedId}
            aria-expanded={node.children ? isOpen : undefined}
            tabIndex={node.nodeId === currentId ? 0 : -1}
            title={node.tooltip}
            onFocus={() => setFocusedId(node.nodeId)}
            onClick={() => {
              if (node.children) setOpen(node.nodeId, !isOpen)
              else onSelect(node.nodeId)
            }}
            onDoubleClick={() => !node.children && onActivate?.(node.nodeId)}
          >
            <span className={styles.twistie}>
              {node.children && <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />}
            </span>
            {node.icon && (
              <span className={styles.icon}>
                <Icon name={node.icon} />
              </span>
            )}
            <span className={styles.label}>{node.label}</span>
            {node.end && <span className={styles.end}>{node.end}</span>}
          </div>
        )
      })}
    </div>
  )
}

function visibleRows(nodes: readonly TreeNode[], closed: ReadonlySet<string>, level = 1): Row[] {
  return nodes.flatMap((node) => [
    { node, level },
    ...(node.children && !closed.has(node.nodeId)
      ? visibleRows(node.children, closed, level + 1)
      : []),
  ])
}
