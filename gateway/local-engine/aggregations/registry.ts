import type { AggregationDefinition } from './define.ts'

/** Every aggregation there is. */
export const aggregations: readonly AggregationDefinition[] = []

/** Aggregations the dialect has and this engine refuses by name. */
export const REFUSED_AGGREGATIONS: readonly string[] = []
