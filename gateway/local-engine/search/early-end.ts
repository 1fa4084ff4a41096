import type { QueryNode } from '../query/node.ts'
import type { SearchRequest } from './body.ts'

/**
 * Whether the engine says `terminated_early`: it does for searches without hits whose total it
 * knows, or stops counting, before aggregations have seen every document.
 */
export function endsEarly(node: QueryNode, request: SearchRequest, total: number): boolean {
  const { size, aggregations, postFilter, minScore, trackTotalHits } = request
  if (size > 0 || !aggregations || postFilter !== undefined || minScore !== undefined) return false
  if (node.kind === 'none') return false
  return trackTotalHits === undefined || total > trackTotalHits || isCountKnown(node)
}

/** Everything, one term and one field are counted without looking at documents. */
function isCountKnown(node: QueryNode): boolean {
  if (node.kind === 'boost' || node.kind === 'constant') return isCountKnown(node.query)
  return node.kind === 'all' || node.kind === 'term' || node.kind === 'exists'
}
