/** Parts looked at before a value counts as large as what was seen of it. */
const MOST_PARTS = 2_000
/** Of a longer list or map so many entries stand for all of them. */
const MOST_SAMPLED = 40

/** How many parts have been looked at. */
interface Look {
  parts: number
}

/**
 * About how many bytes a value adds to another one it shares parts with: what is the same object or
 * text in both is counted with the other one.
 */
export const addedBytes = (value: unknown, shared: unknown): number =>
  sizeOf(value, shared, { parts: 0 })

function sizeOf(value: unknown, shared: unknown, look: Look): number {
  if (value === shared || ++look.parts > MOST_PARTS) return 0
  if (typeof value === 'string') return value.length * 2
  if (typeof value !== 'object' || value === null) return 8
  return (
    32 + (Array.isArray(value) ? sizeOfList(value, shared, look) : sizeOfMap(value, shared, look))
  )
}

function sizeOfList(list: readonly unknown[], shared: unknown, look: Look) {
  const other: readonly unknown[] | undefined = Array.isArray(shared) ? shared : undefined
  const step = Math.ceil(list.length / MOST_SAMPLED)
  let bytes = 0
  for (let at = 0; at < list.length; at += step)
    bytes += step * (8 + sizeOf(list[at], other?.[at], look))
  return bytes
}

function sizeOfMap(map: object, shared: unknown, look: Look) {
  // Only compared, never used: any key may be asked for.
  const other = (typeof shared === 'object' ? shared : undefined) as
    Record<string, unknown> | null | undefined
  // Safe: it is an object; `for in` makes no list of its members.
  const members = map as Record<string, unknown>
  let bytes = 0
  let count = 0
  for (const key in members)
    if (++count <= MOST_SAMPLED) bytes += 16 + sizeOf(members[key], other?.[key], look)
  return count > MOST_SAMPLED ? (bytes / MOST_SAMPLED) * count : bytes
}
