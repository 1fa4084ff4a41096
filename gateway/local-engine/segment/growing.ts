/** An Int32Array that grows; `values` is only good up to `length`. */
export interface GrowingInts {
  length: number
  values: Int32Array
}

/** An empty one. */
export const createGrowingInts = (): GrowingInts => ({ length: 0, values: new Int32Array(64) })

/** Appends one value. */
export function push(ints: GrowingInts, value: number): void {
  if (ints.length === ints.values.length) {
    const wider = new Int32Array(ints.values.length * 2)
    wider.set(ints.values)
    ints.values = wider
  }
  ints.values[ints.length++] = value
}

/** Turns counts at 1 … n into starts in place: `starts[i]` becomes the sum of all counts before i. */
export function sumUp(counts: Int32Array): Int32Array {
  for (let i = 1; i < counts.length; i++) counts[i]! += counts[i - 1]!
  return counts
}
