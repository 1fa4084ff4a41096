import type { Context } from '../contract/context.ts'

/** What a stage did to the context, by top-level key; the fixed maps hold only what differs in them. */
export interface ChangedKeys {
  changes: Record<string, unknown>
  /** Keys that were taken away; those of a fixed map behind its name and a dot. */
  removed: string[]
}

const FIXED = ['request', 'response', 'envs']

/**
 * The difference between two contexts. Parts that are the same objects cost nothing; what a stage
 * made anew counts as changed when its texts differ.
 */
export function changesBetween(before: Context, after: Context): ChangedKeys {
  const changes: Record<string, unknown> = {}
  const removed = goneFrom(before, after)
  for (const key of Object.keys(after)) {
    const [was, is] = [before[key], after[key]]
    if (was === is) continue
    if (!FIXED.includes(key) || !isMap(was) || !isMap(is)) {
      changes[key] = is
      continue
    }
    const inner: Record<string, unknown> = {}
    for (const name of Object.keys(is))
      if (was[name] !== is[name] && !isSameFlatMap(was[name], is[name])) inner[name] = is[name]
    if (Object.keys(inner).length > 0) changes[key] = inner
    removed.push(...goneFrom(was, is).map((name) => `${key}.${name}`))
  }
  return { changes, removed }
}

/** Lays changes over a context, as they were taken from it. */
export function applyChanges(context: Context, { changes, removed }: ChangedKeys): Context {
  const next: Context = { ...context, ...changes }
  for (const key of FIXED) {
    const [was, is] = [context[key], changes[key]]
    if (!isMap(was)) continue
    const gone = removed.filter((path) => path.startsWith(`${key}.`))
    next[key] = without(
      { ...was, ...(isMap(is) && is) },
      gone.map((path) => path.slice(key.length + 1)),
    )
  }
  return without(next, removed)
}

const goneFrom = (was: Record<string, unknown>, is: Record<string, unknown>) =>
  Object.keys(was).filter((key) => !Object.hasOwn(is, key))

function without<T extends Record<string, unknown>>(map: T, keys: readonly string[]): T {
  for (const key of keys) delete map[key]
  return map
}

/** Headers come anew from every script, mostly with what they held before. */
function isSameFlatMap(a: unknown, b: unknown) {
  if (!isMap(a) || !isMap(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key])
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
