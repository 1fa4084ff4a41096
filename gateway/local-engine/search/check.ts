import { createAggregations } from '../aggregations/run.ts'
import { parseQuery } from '../query/parse.ts'
import { readSearchBody } from './body.ts'
import { requestContext } from './phase.ts'
import type { SearchParams, SearchTarget } from './target.ts'

const NO_INDEX: SearchTarget = {
  index: '',
  snapshot: { segments: [] },
  fields: { field: () => undefined, all: () => [] },
  idToRow: () => undefined,
  fetch: () => [],
}

/**
 * Reads a search body as far as it can be read without an index.
 * @throws {EngineFailure} for what no index could answer.
 */
export async function checkSearchBody(body: unknown, params: SearchParams = {}): Promise<void> {
  const context = requestContext(params)
  const { query, postFilter, aggregations } = readSearchBody(body, context)
  for (const one of [query, postFilter])
    if (one !== undefined && one !== null) parseQuery(one, { ...context, ...NO_INDEX })
  // Queries inside aggregations are read when an index is entered.
  await createAggregations(aggregations, context)?.enter(NO_INDEX)
}
