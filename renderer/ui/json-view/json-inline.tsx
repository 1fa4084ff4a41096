import { useMemo, useState, useSyncExternalStore } from 'react'
import { Icon } from '../icon.tsx'
import { indexJson, isQuickToIndex } from './json-index.ts'
import { JsonTreeView } from './json-tree-view.tsx'
import { createJsonTree, type JsonTree } from './json-tree.ts'
import styles from './json-view.module.css'

const PREVIEW = 400
const ROW_PX = 22
const MOST_ROWS = 14

/** A JSON value on one line that opens into a small tree; scalars and long texts stay a line. */
export function JsonInline({ text, label }: { text: string; label: string }) {
  const [isOpen, setOpen] = useState(false)
  const isContainer = /^\s*[[{]/.test(text) && text.length > 2 && isQuickToIndex(text)
  const preview = text.slice(0, PREVIEW).replaceAll(/\s+/g, ' ')
  if (!isContainer) return <code className={styles.inlineText}>{text.slice(0, PREVIEW * 25)}</code>
  return (
    <div className={styles.inline}>
      <button
        type="button"
        className={styles.inlineHead}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <code>{preview}</code>
      </button>
      {isOpen && <Opened text={text} label={label} />}
    </div>
  )
}

function Opened({ text, label }: { text: string; label: string }) {
  const tree = useMemo(() => {
    const result = indexJson(text)
    return 'index' in result ? createJsonTree(result.index) : null
  }, [text])
  return tree ? (
    <Sized tree={tree} label={label} />
  ) : (
    <code className={styles.inlineText}>{text}</code>
  )
}

/** As tall as its lines, up to a limit beyond which it scrolls. */
function Sized({ tree, label }: { tree: JsonTree; label: string }) {
  useSyncExternalStore(tree.subscribe, tree.version)
  const height = Math.min(tree.rowCount(), MOST_ROWS) * ROW_PX
  return (
    <div className={styles.inlineTree} style={{ height }}>
      <JsonTreeView tree={tree} label={label} root="" />
    </div>
  )
}
