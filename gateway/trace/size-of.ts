/** Parts looked at before a value counts as large as what was seen of it. */
const MOST_PARTS = 2_000

/**
 * About how many bytes a value adds to another one it shares parts with: what is the same object or
 * text in both is counted with the other one.
 */
export function addedBytes(value: unknown, shared: unknown): number {
  let parts = 0
  const size = (value: unknown, shared: unknown): number => {
    if (value === shared || ++parts > MOST_PARTS) return 0
    if (typeof value === 'string') return value.length * 2
    if (typeof value !== 'object' || value === null) return 8
    let bytes = 32
    // Only compared, never used: any key may be asked for.
    const other = (typeof shared === 'object' ? shared : undefined) as
      Record<string, unknown> | null | undefined
    // Safe: it is an object; `for in` makes no list of its members.
    const members = value as Record<string, unknown>
    for (const key in members) bytes += 16 + size(members[key], other?.[key])
    return bytes
  }
  return size(value, shared)
}
