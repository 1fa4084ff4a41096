/** Numbers by bucket; buckets appear in any order. */
export interface GrowingDoubles {
  get(bucket: number): number
  set(bucket: number, value: number): void
}

/** All buckets begin with `initial`. */
export function createGrowingDoubles(initial: number): GrowingDoubles {
  let values = new Float64Array(8).fill(initial)
  return {
    get: (bucket) => (bucket < values.length ? values[bucket]! : initial),
    set(bucket, value) {
      if (bucket >= values.length) {
        const wider = new Float64Array(Math.max(bucket + 1, values.length * 2)).fill(initial)
        wider.set(values)
        values = wider
      }
      values[bucket] = value
    },
  }
}
