import { EngineFailure, parsingFailure, toCause } from '../errors.ts'
import { isObject, malformed } from '../query/define.ts'
import { noObject } from './body.ts'
import { matchLive, prepareQuery } from './matcher.ts'
import { requestContext, shardsOf } from './phase.ts'
import type { SearchParams, SearchTarget } from './target.ts'

/** The answer of `_count`. */
export interface CountAnswer {
  readonly count: number
  readonly _shards: Readonly<Record<string, number>>
}

/**
 * Counts the documents that match `body.query`; everything when there is none.
 * @throws {EngineFailure} for a body it refuses.
 */
export async function countDocuments(
  targets: readonly SearchTarget[],
  given: unknown,
  params: SearchParams = {},
): Promise<CountAnswer> {
  const body = given === undefined ? {} : given
  if (!isObject(body)) throw noObject(body)
  for (const key of Object.keys(body))
    if (key !== 'query')
      throw malformed(`request does not support [${key}]`, body, params, { name: key })
  if (body.query !== undefined && !isObject(body.query))
    throw malformed('[_na] query malformed, must start with start_object', body, params, {
      value: 'query',
    })
  const context = requestContext(params)
  let count = 0
  for (const target of targets) {
    const { weight } = await prepareQuery(body.query, target, context).catch((error: unknown) => {
      throw wrapped(error)
    })
    for (const live of target.snapshot.segments)
      if (live.liveCount > 0) count += (await matchLive(weight, live)).docs.length
  }
  return { count, _shards: shardsOf(targets) }
}

/** What is wrong with the query itself is wrapped once more, unless it says already where it is. */
const wrapped = (error: unknown) =>
  error instanceof EngineFailure && error.at && error.type !== 'parsing_exception'
    ? parsingFailure('Failed to parse', error.at, toCause(error))
    : error
