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
    for (const [key, item] of Object.entries(value)) {
      const before: unknown =
        typeof shared === 'object' && shared !== null
          ? // Only compared, never used: any key may be asked for.
            (shared as Record<string, unknown>)[key]
          : undefined
      bytes += 16 + size(item, before)
    }
    return bytes
  }
  return size(value, shared)
}
