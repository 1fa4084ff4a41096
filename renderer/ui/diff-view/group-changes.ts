/** One difference; values are JSON text. `jsonFrom` is where the path enters a string of JSON. */
export interface DiffEntry {
  kind: 'added' | 'removed' | 'changed'
  path: readonly (string | number)[]
  jsonFrom?: number | undefined
  before?: string | undefined
  after?: string | undefined
  warning?: string | undefined
}

/** Differences below one key of the whole. */
export interface DiffGroup {
  key: string
  entries: DiffEntry[]
}

/** Groups by the first key, in the order in which the keys first appear. */
export function groupChanges(changes: readonly DiffEntry[]): DiffGroup[] {
  const groups = new Map<string, DiffEntry[]>()
  for (const change of changes) {
    const key = String(change.path[0] ?? '')
    const entries = groups.get(key)
    if (entries) entries.push(change)
    else groups.set(key, [change])
  }
  return [...groups].map(([key, entries]) => ({ key, entries }))
}

/** How many characters two texts share at their beginnings and at their ends. */
export interface SharedEnds {
  head: number
  tail: number
}

/** What two texts share, or null when less than half of the longer one is the same. */
export function sharedEnds(before: string, after: string): SharedEnds | null {
  const shortest = Math.min(before.length, after.length)
  let head = 0
  while (head < shortest && before[head] === after[head]) head++
  let tail = 0
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return (head + tail) * 2 >= Math.max(before.length, after.length) ? { head, tail } : null
}
