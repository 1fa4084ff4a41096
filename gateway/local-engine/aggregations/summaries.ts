/** What is known of the numbers of one bucket. Without any: count 0, min infinite, max the opposite. */
export interface NumberSummary {
  readonly count: number
  readonly sum: number
  readonly min: number
  readonly max: number
}

// Five numbers a bucket, side by side.
const COUNT = 0
const SUM = 1
/** What the running sum has lost to rounding so far (Kahan). */
const LOST = 2
const MIN = 3
const MAX = 4
const WIDTH = 5

/** Sums up numbers by bucket; buckets appear in any order. */
export function createSummaries() {
  let values = initial(8)
  return { add, of }

  function add(bucket: number, value: number): void {
    const at = bucket * WIDTH
    if (at >= values.length) {
      const wider = initial(Math.max(bucket + 1, (values.length / WIDTH) * 2))
      wider.set(values)
      values = wider
    }
    values[at + COUNT]!++
    if (value < values[at + MIN]!) values[at + MIN] = value
    if (value > values[at + MAX]!) values[at + MAX] = value
    const sum = values[at + SUM]!
    const corrected = value + values[at + LOST]!
    const updated = sum + corrected
    values[at + LOST] = corrected - (updated - sum)
    values[at + SUM] = updated
  }

  function of(bucket: number): NumberSummary {
    const own = bucket * WIDTH < values.length ? values : initial(bucket + 1)
    const at = bucket * WIDTH
    return {
      count: own[at + COUNT]!,
      sum: own[at + SUM]!,
      min: own[at + MIN]!,
      max: own[at + MAX]!,
    }
  }
}

function initial(buckets: number): Float64Array {
  const values = new Float64Array(buckets * WIDTH)
  for (let at = 0; at < values.length; at += WIDTH) {
    values[at + MIN] = Number.POSITIVE_INFINITY
    values[at + MAX] = Number.NEGATIVE_INFINITY
  }
  return values
}
