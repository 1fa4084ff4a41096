import { compareCodePoints } from '../segment/dictionary.ts'
import type { Matches } from '../query/weight.ts'
import type { Segment } from '../segment/segment.ts'
import type { SortField, SortKey, SortValue } from './sort-field.ts'
import type { SortSpec } from './sort-spec.ts'

/** A hit in the order of its segment. */
export interface SortedDoc {
  readonly doc: number
  readonly score: number
  readonly keys: readonly SortKey[]
}

/** The first documents of one segment in the order asked for. */
export function topSorted(
  { docs, scores }: Matches,
  {
    segment,
    docBase,
    specs,
    fields,
    limit,
    after,
  }: {
    readonly segment: Segment
    /** Documents of the index before this segment. */
    readonly docBase: number
    readonly specs: readonly SortSpec[]
    readonly fields: readonly SortField[]
    readonly limit: number
    readonly after: readonly unknown[] | undefined
  },
): SortedDoc[] {
  if (limit === 0) return []
  const keyOf = fields.map((field) => field.keys(segment, docBase))
  const afterKeys = after?.map((value, i) => fields[i]!.keyOf(segment, value))
  const compare = (a: readonly SortKey[], b: readonly SortKey[]) => {
    for (let i = 0; i < specs.length; i++) {
      if (a[i] === b[i]) continue
      const isBelow = a[i]! < b[i]!
      return isBelow === specs[i]!.descending ? 1 : -1
    }
    return 0
  }
  // Kept sorted: most documents are turned away by the last one that is in.
  const kept: SortedDoc[] = []
  const firstKey = keyOf[0]!
  const isDescending = specs[0]!.descending
  let bound: SortKey | undefined
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!
    const score = typeof scores === 'number' ? scores : scores[i]!
    const first = firstKey(doc, score)
    if (bound !== undefined && (isDescending ? first < bound : first > bound)) continue
    const keys = keyOf.map((key, field) => (field === 0 ? first : key(doc, score)))
    if (afterKeys && compare(keys, afterKeys) <= 0) continue
    if (kept.length === limit && compare(keys, kept.at(-1)!.keys) >= 0) continue
    let low = 0
    let high = kept.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(kept[middle]!.keys, keys) <= 0) low = middle + 1
      else high = middle
    }
    kept.splice(low, 0, { doc, score, keys })
    if (kept.length > limit) kept.pop()
    if (kept.length === limit) bound = kept.at(-1)!.keys[0]
  }
  return kept
}

/** Order of sort values across segments and indices; 0 when they are equal. */
export function compareSortValues(
  a: readonly SortValue[],
  b: readonly SortValue[],
  specs: readonly SortSpec[],
): number {
  for (let i = 0; i < specs.length; i++) {
    const { descending, missing } = specs[i]!
    const left = a[i] ?? null
    const right = b[i] ?? null
    if (left === right) continue
    if (left === null || right === null) return (left === null) === (missing === '_first') ? -1 : 1
    const order =
      typeof left === 'string' && typeof right === 'string'
        ? compareCodePoints(left, right)
        : left < right
          ? -1
          : left > right
            ? 1
            : 0
    if (order !== 0) return descending ? -order : order
  }
  return 0
}
