import { EngineFailure, failures, unsupported } from '../errors.ts'
import { isObject, malformed, unknownName, type ParseContext } from './define.ts'
import type { QueryNode } from './node.ts'
import { queries, REFUSED_QUERIES } from './registry.ts'

const byName = new Map(queries.map((query) => [query.name, query]))
const refused = new Set(REFUSED_QUERIES)

/** Deeper queries are refused. */
export const MAX_QUERY_DEPTH = 100

/**
 * Parses one query of the dialect.
 * @throws {EngineFailure} for what it does not know or cannot read.
 */
export function parseQuery(body: unknown, base: Omit<ParseContext, 'parse'>): QueryNode {
  let depth = 0
  const context: ParseContext = { ...base, parse }
  return parse(body)

  function parse(inner: unknown): QueryNode {
    if (!isObject(inner))
      throw malformed('[_na] query malformed, must start with start_object', inner, context)
    const [name, second] = Object.keys(inner)
    if (name === undefined) throw failures.illegalArgument('query malformed, empty clause found')
    const query = byName.get(name)
    if (!query) {
      if (refused.has(name)) throw unsupported(`query.${name}`, `[${name}] query`)
      throw unknownName(`unknown query [${name}]`, name, inner[name], context)
    }
    if (!isObject(inner[name]))
      throw malformed(`[${name}] query malformed, no start_object after query name`, inner, context)
    if (second !== undefined)
      throw malformed(
        `[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`,
        inner,
        context,
      )
    if (++depth > MAX_QUERY_DEPTH)
      throw new EngineFailure(
        400,
        'illegal_argument_exception',
        `The nested depth of the query exceeds the maximum of ${MAX_QUERY_DEPTH}`,
      )
    const node = query.parse(inner[name], context)
    depth--
    return node
  }
}
