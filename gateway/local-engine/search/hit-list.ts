import type { Matches } from '../query/weight.ts'
import type { Segment } from '../segment/segment.ts'
import type { SearchRequest } from './body.ts'
import { createSortField, type SortField, type SortValue } from './sort-field.ts'
import type { SearchTarget } from './target.ts'
import { topScores } from './top-scores.ts'
import { compareSortValues, topSorted } from './top-sorted.ts'

/** A document among the hits. */
export interface RankedHit {
  readonly target: SearchTarget
  readonly row: number
  readonly score: number
  /** As the hit shows them; empty when it is sorted by score. */
  readonly sort: readonly unknown[]
}

/** Gathers the best hits of all segments of all targets. */
export interface HitList {
  /** Told before the segments of a target. */
  enter(target: SearchTarget): void
  add(segment: Segment, docBase: number, matches: Matches): void
  /** The hits asked for, `from` skipped. */
  take(): RankedHit[]
  /** The best score; null without hits, or when scores are not tracked. */
  maxScore(): number | null
}

interface Candidate extends RankedHit {
  readonly values: readonly SortValue[]
}

/** A list for one request. */
export function createHitList(request: SearchRequest, now: number): HitList {
  const { from, size, sort, searchAfter, trackScores } = request
  const limit = from + size
  const isByScoreFirst = sort[0]?.field === '_score' && sort[0].descending
  const candidates: Candidate[] = []
  let target: SearchTarget | undefined
  let fields: SortField[] = []
  let best = Number.NEGATIVE_INFINITY

  return {
    enter(next) {
      target = next
      fields = sort.map((spec) => createSortField(spec, next, now))
    },
    add(segment, docBase, matches) {
      if (size === 0) return
      if (sort.length === 0) addByScore(segment, matches)
      else addSorted(segment, docBase, matches)
    },
    take() {
      const compare =
        sort.length === 0
          ? (a: Candidate, b: Candidate) => b.score - a.score
          : (a: Candidate, b: Candidate) => compareSortValues(a.values, b.values, sort)
      // Stable: equal ones keep the order of targets, segments and documents.
      return candidates.toSorted(compare).slice(from, limit)
    },
    maxScore: () => (best === Number.NEGATIVE_INFINITY ? null : best),
  }

  function addByScore(segment: Segment, matches: Matches): void {
    for (const { doc, score } of topScores(matches, limit)) {
      best = Math.max(best, score)
      candidates.push({ target: target!, row: segment.rows[doc]!, score, sort: [], values: [] })
    }
  }

  function addSorted(segment: Segment, docBase: number, matches: Matches): void {
    const { docs, scores } = matches
    if (trackScores && docs.length > 0)
      if (typeof scores === 'number') best = Math.max(best, scores)
      else for (const score of scores) if (score > best) best = score
    const top = topSorted(matches, {
      segment,
      docBase,
      specs: sort,
      fields,
      limit,
      after: searchAfter,
    })
    for (const { doc, score, keys } of top) {
      if (isByScoreFirst) best = Math.max(best, score)
      const values = keys.map((key, i) => fields[i]!.valueOf(segment, key))
      candidates.push({
        target: target!,
        row: segment.rows[doc]!,
        score,
        sort: values.map((value, i) => fields[i]!.show(value)),
        values,
      })
    }
  }
}
