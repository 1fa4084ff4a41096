import { EngineFailure } from '../errors.ts'

const MOST_GAPS = 65_535

/**
 * Adds the keys between the first and the last that no document has.
 * @throws {EngineFailure} too_many_buckets_exception before it fills memory.
 */
export function fillGaps({
  present,
  reach,
  next,
  add,
}: {
  readonly present: readonly number[]
  /** Keys to reach even when no document is there. */
  readonly reach: readonly number[]
  readonly next: (key: number) => number
  readonly add: (key: number) => void
}): void {
  const sorted = [...present, ...reach].toSorted((a, b) => a - b)
  const [first] = sorted
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) return
  let count = 0
  // By index, so that the keys are those the documents gave.
  const known = new Set(present)
  for (let key = first; key <= last; key = next(key)) {
    if (++count > MOST_GAPS)
      throw new EngineFailure(
        400,
        'too_many_buckets_exception',
        `Trying to create too many buckets. Must be less than or equal to: [${MOST_GAPS}] but was [${count}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
        { extra: { max_buckets: MOST_GAPS } },
      )
    if (!known.has(key)) add(key)
  }
}
