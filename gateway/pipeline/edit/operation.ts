import { isExactNumber } from '../exact-numbers.ts'
import { isRaw } from '../raw.ts'
import type { Path } from '../read-document.ts'

/** A change of one place. An edit of a pipeline is one or more of them. */
export type Operation =
  | { readonly does: 'set'; readonly path: Path; readonly value: unknown }
  /** Takes a key out of a map, or an entry out of a list. */
  | { readonly does: 'remove'; readonly path: Path }
  | {
      readonly does: 'insert'
      readonly path: Path
      readonly index: number
      readonly value: unknown
    }
  | { readonly does: 'move'; readonly path: Path; readonly from: number; readonly to: number }

/** What an operation makes of a value; the measure for what it makes of the text. Pure. */
export function applyOperation(root: unknown, operation: Operation): unknown {
  const { path } = operation
  if (operation.does === 'set') return setAt(root, path, operation.value)
  if (operation.does === 'remove')
    return updateAt(root, path.slice(0, -1), (holder) => {
      const key = path.at(-1)
      if (Array.isArray(holder)) return holder.filter((_item, index) => index !== key)
      const { [String(key)]: _removed, ...rest } = isRaw(holder) ? holder : {}
      return rest
    })
  return updateAt(root, path, (list) => {
    const items: unknown[] = Array.isArray(list) ? [...list] : []
    if (operation.does === 'insert') items.splice(operation.index, 0, operation.value)
    else items.splice(operation.to, 0, ...items.splice(operation.from, 1))
    return items
  })
}

/** The value at a path; undefined where nothing is. */
export const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => childOf(value, key), root)

/** Maps that are needed for the rest of a path and its value: `[a, b]` and 1 give `{a: {b: 1}}`. */
export const wrap = (path: Path, value: unknown): unknown =>
  path.reduceRight((inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value)

/** Whether two values of a text are equal; the order of keys does not count. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((one, at) => isSame(one, b[at]))
  if (isExactNumber(a)) return isExactNumber(b) && a.rawJSON === b.rawJSON
  if (!isRaw(a)) return Object.is(a, b)
  const keys = Object.keys(a)
  return (
    isRaw(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  )
}

const setAt = (root: unknown, path: Path, value: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return value
  const inner = setAt(childOf(root, key), rest, value)
  if (typeof key === 'number') {
    const items: unknown[] = Array.isArray(root) ? [...root] : []
    items[key] = inner
    return items
  }
  return { ...(isRaw(root) ? root : {}), [key]: inner }
}

function updateAt(root: unknown, path: Path, update: (value: unknown) => unknown): unknown {
  return setAt(root, path, update(valueAt(root, path)))
}

function childOf(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === 'number' ? (value as unknown[])[key] : undefined
  return isRaw(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
