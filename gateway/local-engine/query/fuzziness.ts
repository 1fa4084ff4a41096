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
  if (typeof parameters.value('fuzziness') === 'boolean')
    throw failures.illegalArgument("Can't parse fuzziness on token: [VALUE_BOOLEAN]")
  return {
    editsOf: parseEdits(parameters.text('fuzziness') ?? otherwise),
    prefixLength: parameters.integer('prefix_length', 0),
    maxExpansions: parameters.integer('max_expansions', MAX_EXPANSIONS),
    transpositions: parameters.flag(transpositions, true),
  }
}

function parseEdits(text: string): (codePoints: number) => number {
  if (/^AUTO(?::|$)/i.test(text)) {
    const [low, high] = text.length === 'AUTO'.length ? [3, 6] : parseLengths(text)
    return (length) => (length < low ? 0 : length < high ? 1 : 2)
  }
  const edits = Number(text)
  if (!(edits >= 0) || text === '')
    throw failures.illegalArgument(`Invalid fuzziness value: ${text}`)
  return () => Math.min(2, Math.trunc(edits))
}

/** The lengths of words from which on one and two edits are allowed, as `AUTO:3,6` gives them. */
function parseLengths(text: string): [number, number] {
  const parts = text.slice('AUTO:'.length).split(',')
  if (parts.length !== 2) throw failures.parse('failed to find low and high distance values')
  const wrong = parts.find((part) => !/^-?\d+$/.test(part))
  if (wrong !== undefined)
    throw failures.parse(`failed to parse [${text}] as a "auto:int,int"`, {
      causedBy: { type: 'number_format_exception', reason: `For input string: "${wrong}"` },
    })
  const [low = 0, high = 0] = parts.map(Number)
  if (low < 0 || high < 0 || low > high)
    throw failures.illegalArgument(
      'fuzziness wrongly configured, must be: lowDistance > 0, highDistance > 0 and lowDistance <= highDistance ',
    )
  return [low, high]
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
