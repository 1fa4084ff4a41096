import { PROFILES, type Profile } from '../config.ts'
import { compile } from '../query/compile.ts'
import { expand } from '../query/expand.ts'
import type { QueryNode } from '../query/node.ts'
import { parseQuery } from '../query/parse.ts'
import { simplify } from '../query/simplify.ts'
import type { Slice } from '../query/slice.ts'
import { createStatistics } from '../query/statistics.ts'
import type { Matches, Weight } from '../query/weight.ts'
import type { LiveSegment } from '../segment/segment.ts'
import type { SearchParams, SearchTarget } from './target.ts'

/** What the parts of one request share. */
export interface RequestContext {
  readonly profile: Profile
  readonly slice: Slice
  /** Epoch milliseconds. */
  readonly now: number
  readonly positionOf: SearchParams['positionOf']
  readonly typedKeys: boolean
}

/** The profile of a request; the default engine when the caller names none. */
export const profileOf = (params: SearchParams): Profile =>
  params.profile ?? PROFILES['opensearch-3']

/** A query ready to run on one target. */
export interface PreparedQuery {
  /** Expanded and simplified. */
  readonly node: QueryNode
  readonly weight: Weight
}

/** Makes a query of the dialect ready to run on one target. */
export async function prepareQuery(
  body: unknown,
  target: SearchTarget,
  { profile, slice, now, positionOf }: RequestContext,
): Promise<PreparedQuery> {
  const { fields } = target
  const node = parseQuery(body ?? { match_all: {} }, { fields, profile, now, positionOf })
  const statistics = createStatistics(target.snapshot)
  const expanded = simplify(await expand(node, statistics, slice))
  const weight = compile(expanded, {
    statistics,
    fields,
    profile,
    slice,
    idToRow: (id) => target.idToRow(id),
  })
  return { node: expanded, weight }
}

/** The live documents of a segment that match. */
export async function matchLive(
  weight: Weight,
  { segment, live }: LiveSegment,
  within: Int32Array | null = null,
): Promise<Matches> {
  const { docs, scores } = await weight.match(segment, within)
  if (!live) return { docs, scores }
  const kept = new Int32Array(docs.length)
  const keptScores = typeof scores === 'number' ? scores : new Float32Array(docs.length)
  let count = 0
  for (let i = 0; i < docs.length; i++) {
    if (live[docs[i]!] === 0) continue
    if (typeof keptScores !== 'number' && typeof scores !== 'number') keptScores[count] = scores[i]!
    kept[count++] = docs[i]!
  }
  return {
    docs: kept.subarray(0, count),
    scores: typeof keptScores === 'number' ? keptScores : keptScores.subarray(0, count),
  }
}
