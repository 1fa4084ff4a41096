import { EngineFailure, failures } from '../errors.ts'
import { createAggregations, type Aggregations } from '../aggregations/run.ts'
import { float32 } from '../json/values.ts'
import { createSlice, DeadlinePassed } from '../query/slice.ts'
import type { Matches, Weight } from '../query/weight.ts'
import { readSearchBody, type SearchRequest } from './body.ts'
import { endsEarly } from './early-end.ts'
import { createHitList, type HitList } from './hit-list.ts'
import { fetchHits } from './fetch.ts'
import { matchLive, prepareQuery, profileOf, type RequestContext } from './matcher.ts'
import type { SearchParams, SearchTarget } from './target.ts'

/** The answer of `_search`; floats and sources are wrapped as json/values.ts says. */
export interface SearchAnswer {
  readonly took: number
  readonly timed_out: boolean
  readonly terminated_early?: boolean
  readonly _shards: Readonly<Record<string, number>>
  readonly hits: Readonly<Record<string, unknown>>
  readonly aggregations?: Readonly<Record<string, unknown>>
}

const DEFAULT_TIMEOUT_MS = 30_000

/**
 * Runs one search over the targets; hits merge by sort values, then in the order of targets.
 * @throws {EngineFailure} for a body it refuses, and the signal's reason when it is aborted.
 */
export async function executeSearch(
  targets: readonly SearchTarget[],
  body: unknown,
  params: SearchParams = {},
): Promise<SearchAnswer> {
  const began = performance.now()
  // A client may be gone before its turn comes; a short search would never look again.
  params.signal?.throwIfAborted()
  const context = requestContext(params)
  const request = readSearchBody(body, context)
  checkWindow(targets, request)
  checkSearchAfter(request)
  const timeoutMs = request.timeoutMs ?? params.timeoutMs ?? DEFAULT_TIMEOUT_MS
  const timed = { ...context, slice: createSlice(timeoutMs, params.signal) }
  const state: SearchState = {
    hits: createHitList(request, timed.now),
    aggregations: createAggregations(request.aggregations, timed),
    total: 0,
    endedEarly: false,
  }
  const timedOut = await runTargets(targets, request, timed, state)
  const trackTotalHits = params.totalHitsAsInt ? Number.POSITIVE_INFINITY : request.trackTotalHits
  return {
    took: Math.round(performance.now() - began),
    timed_out: timedOut,
    ...(state.endedEarly && { terminated_early: true }),
    _shards: shardsOf(targets),
    hits: {
      ...(trackTotalHits !== undefined && {
        total: params.totalHitsAsInt ? state.total : countUpTo(state.total, trackTotalHits),
      }),
      max_score: maxScore(state.hits.maxScore()),
      hits: fetchHits(state.hits.take(), targets, request, profileOf(params)),
    },
    ...(state.aggregations && { aggregations: state.aggregations.results() }),
  }
}

interface SearchState {
  readonly hits: HitList
  readonly aggregations: Aggregations | undefined
  total: number
  endedEarly: boolean
}

/** What the parts of one request share; its deadline starts when the body is read. */
export const requestContext = (params: SearchParams): RequestContext => ({
  profile: profileOf(params),
  slice: createSlice(params.timeoutMs ?? DEFAULT_TIMEOUT_MS, params.signal),
  now: Date.now(),
  positionOf: params.positionOf,
  typedKeys: params.typedKeys ?? false,
})

/** All shards of the targets; none fails on its own. */
export function shardsOf(targets: readonly SearchTarget[]) {
  const total = targets.reduce((sum, { shards = 1 }) => sum + shards, 0)
  return { total, successful: total, skipped: 0, failed: 0 }
}

const DEFAULT_MAX_RESULT_WINDOW = 10_000

function checkWindow(targets: readonly SearchTarget[], { from, size }: SearchRequest): void {
  for (const { maxResultWindow = DEFAULT_MAX_RESULT_WINDOW } of targets)
    if (from + size > maxResultWindow)
      throw failures.illegalArgument(
        `Result window is too large, from + size must be less than or equal to: [${maxResultWindow}] but was [${from + size}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
      )
}

function checkSearchAfter({ searchAfter, sort, from }: SearchRequest): void {
  if (!searchAfter) return
  if (sort.length === 0) throw failures.illegalArgument('Sort must contain at least one field.')
  if (searchAfter.length !== sort.length)
    throw failures.illegalArgument(
      `search_after has ${searchAfter.length} value(s) but sort has ${sort.length}.`,
    )
  if (from > 0)
    throw new EngineFailure(
      500,
      'search_exception',
      '`from` parameter must be set to 0 when `search_after` is used.',
    )
}

/** @returns whether the deadline passed; what was found until then stands. */
async function runTargets(
  targets: readonly SearchTarget[],
  request: SearchRequest,
  context: RequestContext,
  state: SearchState,
): Promise<boolean> {
  try {
    for (const target of targets) await runTarget(target, request, context, state)
    return false
  } catch (error) {
    if (error instanceof DeadlinePassed) return true
    throw error
  }
}

async function runTarget(
  target: SearchTarget,
  request: SearchRequest,
  context: RequestContext,
  state: SearchState,
): Promise<void> {
  const { weight, node } = await prepareQuery(request.query, target, context)
  const postFilter =
    request.postFilter === undefined
      ? undefined
      : (await prepareQuery(request.postFilter, target, context)).weight
  state.hits.enter(target)
  await state.aggregations?.enter(target)
  const totalBefore = state.total
  let docBase = 0
  for (const live of target.snapshot.segments) {
    if (live.liveCount > 0) {
      const found = aboveScore(await matchLive(weight, live), request.minScore)
      await state.aggregations?.collect(live.segment, found.docs)
      const shown = await afterFilter(found, postFilter, live)
      state.total += shown.docs.length
      state.hits.add(live.segment, docBase, shown)
      if (context.slice.due()) await context.slice.handOver()
    }
    docBase += live.segment.docCount
  }
  if (endsEarly(node, request, state.total - totalBefore)) state.endedEarly = true
}

function aboveScore(matches: Matches, minScore: number | undefined): Matches {
  if (minScore === undefined) return matches
  const { docs, scores } = matches
  const least = Math.fround(minScore)
  return keep(matches, (i) => (typeof scores === 'number' ? scores : scores[i]!) >= least, docs)
}

async function afterFilter(
  matches: Matches,
  filter: Weight | undefined,
  live: Parameters<typeof matchLive>[1],
): Promise<Matches> {
  if (!filter) return matches
  const { docs } = await matchLive(filter, live, matches.docs)
  let at = 0
  return keep(
    matches,
    (i) => {
      if (docs[at] !== matches.docs[i]) return false
      at++
      return true
    },
    matches.docs,
  )
}

function keep({ scores }: Matches, isKept: (i: number) => boolean, docs: Int32Array): Matches {
  const kept = new Int32Array(docs.length)
  const keptScores = typeof scores === 'number' ? scores : new Float32Array(docs.length)
  let count = 0
  for (let i = 0; i < docs.length; i++) {
    if (!isKept(i)) continue
    if (typeof keptScores !== 'number' && typeof scores !== 'number') keptScores[count] = scores[i]!
    kept[count++] = docs[i]!
  }
  return {
    docs: kept.subarray(0, count),
    scores: typeof keptScores === 'number' ? keptScores : keptScores.subarray(0, count),
  }
}

const countUpTo = (total: number, limit: number) =>
  total > limit ? { value: limit, relation: 'gte' } : { value: total, relation: 'eq' }

const maxScore = (score: number | null) => (score === null ? null : float32(score))
