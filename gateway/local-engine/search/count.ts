import type { SearchParams, SearchTarget } from './target.ts'

/** The answer of `_count`. */
export interface CountAnswer {
  readonly count: number
  readonly _shards: Readonly<Record<string, number>>
}

/**
 * Counts the documents that match `body.query`; everything when there is none.
 * @throws {RequestFailure} for a body it refuses.
 */
export async function countDocuments(
  targets: readonly SearchTarget[],
  body: unknown,
  params: SearchParams = {},
): Promise<CountAnswer> {
  throw new Error(`in work: ${targets.length} ${typeof body} ${Object.keys(params).length}`)
}
