import type { JsonObject, Positions } from '../query/define.ts'
import type { Matches } from '../query/weight.ts'
import type { SearchTarget } from '../search/target.ts'
import type { Segment } from '../segment/segment.ts'

/** Runs the queries inside aggregations on the index that is being searched. */
export type FilterOf = (query: unknown) => Promise<{
  match(segment: Segment, within: Int32Array): Matches | Promise<Matches>
}>

/**
 * Collects one aggregation. Buckets of its parent are numbered from 0; every document comes with
 * the number of the bucket it fell into.
 */
export interface Aggregator {
  /**
   * Told before the segments of an index.
   * @throws {EngineFailure} when the index's field does not suit.
   */
  enter(target: SearchTarget, filterOf: FilterOf): void | Promise<void>
  /** `docs` ascend; `buckets[i]` is the parent's bucket of `docs[i]`. */
  collect(segment: Segment, docs: Int32Array, buckets: Int32Array): void | Promise<void>
  /**
   * What the answer shows for a bucket of the parent.
   * @param isGap true below a bucket that only fills a gap of a histogram.
   */
  result(bucket: number, isGap?: boolean): JsonObject
  /** Stands before the name with `typed_keys`; the aggregation's own name when absent. */
  typeName?(): string
  /** Names of the numbers to sort by, one of which has to be chosen; absent where there is one. */
  readonly metrics?: readonly string[]
  /** The number to sort buckets by; `metric` is what follows the dot in `order`. */
  orderValue?(bucket: number, metric: string | undefined): number
}

/** What parsing an aggregation has at hand. */
export interface AggregationContext {
  readonly now: number
  /** The sub-aggregations, all of them as one; undefined when there are none. */
  readonly children: AggregatorGroup | undefined
  /** Counts buckets of the answer. @throws {EngineFailure} too_many_buckets_exception */
  readonly countBucket: () => void
}

/** Aggregators by name that run over the same buckets. */
export interface AggregatorGroup extends Omit<Aggregator, 'orderValue' | 'metrics' | 'typeName'> {
  readonly members: ReadonlyMap<string, Aggregator>
}

/** One aggregation of the dialect. */
export interface AggregationDefinition {
  readonly name: string
  readonly parameters: readonly string[]
  /** Parameters the dialect has and this engine refuses. */
  readonly refused: readonly string[]
  readonly hasChildren: boolean
  readonly create: (body: AggregationBody, context: AggregationContext) => Aggregator
}

/** The parameters of an aggregation, checked by name. */
export interface AggregationBody {
  readonly name: string
  /** The name of the aggregation in the dialect. */
  readonly type: string
  readonly body: JsonObject
  readonly positions: Positions
}

/** Registers an aggregation; one file each. */
export const defineAggregation = (definition: AggregationDefinition): AggregationDefinition =>
  definition
