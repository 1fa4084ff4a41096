import type { Profile } from '../config.ts'
import { float32, raw } from '../json/values.ts'
import type { SearchRequest } from './body.ts'
import type { RankedHit } from './hit-list.ts'
import { createSourceFilter } from './source-filter.ts'
import type { SearchTarget, StoredDocument } from './target.ts'

/** Reads the documents of the hits and gives them the shape of `hits.hits`. */
export function fetchHits(
  ranked: readonly RankedHit[],
  targets: readonly SearchTarget[],
  request: SearchRequest,
  profile: Profile,
): Readonly<Record<string, unknown>>[] {
  const documents = new Map<RankedHit, StoredDocument | undefined>()
  for (const target of targets) {
    const own = ranked.filter((hit) => hit.target === target)
    if (own.length === 0) continue
    const found = target.fetch(own.map(({ row }) => row))
    own.forEach((hit, i) => documents.set(hit, found[i]))
  }
  const { source, sort, trackScores } = request
  const filter = createSourceFilter(source)
  const scored = sort.length === 0 || trackScores || sort.some(({ field }) => field === '_score')
  return ranked.flatMap((hit) => {
    const document = documents.get(hit)
    // Deleted since the snapshot was taken.
    if (!document) return []
    return {
      _index: hit.target.index,
      ...(profile.emitType && { _type: '_doc' }),
      _id: document.id,
      ...(request.version && { _version: document.version }),
      ...(request.seqNo && {
        _seq_no: document.seqNo,
        _primary_term: document.primaryTerm ?? 1,
      }),
      _score: scored ? float32(hit.score) : null,
      ...(source.enabled && {
        _source: raw(filter ? filter(document.source) : document.source),
      }),
      ...(sort.length > 0 && { sort: hit.sort }),
    }
  })
}
