import type { SearchParams, SearchTarget } from './target.ts'

/** The answer of `_search`; floats and sources are wrapped as json/values.ts says. */
export interface SearchAnswer {
  readonly took: number
  readonly timed_out: boolean
  readonly _shards: Readonly<Record<string, number>>
  readonly hits: Readonly<Record<string, unknown>>
  readonly aggregations?: Readonly<Record<string, unknown>>
}

/**
 * Runs one search over the targets; hits merge by sort values, then in the order of targets.
 * @throws {RequestFailure} for a body it refuses.
 */
export async function executeSearch(
  targets: readonly SearchTarget[],
  body: unknown,
  params: SearchParams = {},
): Promise<SearchAnswer> {
  throw new Error(`in work: ${targets.length} ${typeof body} ${Object.keys(params).length}`)
}
