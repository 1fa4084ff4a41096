import { failures } from '../errors.ts'
import type { QueryNode } from './node.ts'
import type { Parameters } from './parameters.ts'

/** Fuzziness as asked for; how many edits follow from the length of each word. */
export interface FuzzinessRequest {
  readonly editsOf: (codePoints: number) => number
  readonly prefixLength: number
  readonly maxExpansions: number
  readonly transpositions: boolean
}

/** Terms a fuzzy word or the last word of a phrase prefix becomes at most. */
export const MAX_EXPANSIONS = 50

/** Reads `fuzziness` (0, 1, 2, `AUTO`, `AUTO:low,high`) and what belongs to it. */
export function readFuzziness(
  parameters: Parameters,
  transpositions: string,
  otherwise: string,
): FuzzinessRequest {
  return {
    editsOf: parseEdits(parameters.text('fuzziness') ?? otherwise),
    prefixLength: parameters.integer('prefix_length', 0),
    maxExpansions: parameters.integer('max_expansions', MAX_EXPANSIONS),
    transpositions: parameters.flag(transpositions, true),
  }
}

function parseEdits(text: string): (codePoints: number) => number {
  const auto = /^AUTO(?::(\d+),(\d+))?$/i.exec(text)
  if (auto) {
    const low = Number(auto[1] ?? 3)
    const high = Number(auto[2] ?? 6)
    return (length) => (length < low ? 0 : length < high ? 1 : 2)
  }
  const edits = Number(text)
  if (!(edits >= 0))
    throw failures.illegalArgument(
      `Invalid fuzziness value: [${text}]. Valid values are: 0, 1, 2, AUTO and AUTO:low,high`,
    )
  return () => Math.min(2, Math.trunc(edits))
}

/** The query for one word. */
export function fuzzyNode(field: string, term: string, request: FuzzinessRequest): QueryNode {
  const { editsOf, prefixLength, maxExpansions, transpositions } = request
  const edits = editsOf(Array.from(term).length)
  return {
    kind: 'fuzzy',
    field,
    term,
    fuzziness: { edits, prefixLength, maxExpansions, transpositions },
  }
}
