import { EngineFailure, failures, unsupported } from '../errors.ts'
import { isObject, malformed, unknownName, type JsonObject, type ParseContext } from './define.ts'
import type { QueryNode } from './node.ts'
import { queries, REFUSED_QUERIES } from './registry.ts'

const byName = new Map(queries.map((query) => [query.name, query]))
const refused = new Set(REFUSED_QUERIES)
const NO_OBJECT = '[_na] query malformed, must start with start_object'

/** Deeper queries are refused. */
export const MAX_QUERY_DEPTH = 100

const KNOWN = [...byName.keys(), ...refused]

/**
 * Parses one query of the dialect.
 * @throws {EngineFailure} for what it does not know or cannot read.
 */
export function parseQuery(body: unknown, base: Omit<ParseContext, 'parse'>): QueryNode {
  let depth = 0
  const context: ParseContext = {
    ...base,
    parse(outer, name) {
      // Safe: asked for by its name or number in an object or array.
      const inner = (outer as Record<string | number, unknown>)[name]
      if (isObject(inner)) return parse(inner)
      // The engine looks at what follows in a list before it complains.
      const place =
        !Array.isArray(outer) || typeof name === 'string'
          ? { value: name }
          : name + 1 < outer.length
            ? { value: name + 1 }
            : 'end'
      throw malformed(NO_OBJECT, outer, context, place)
    },
  }
  if (!isObject(body)) throw malformed(NO_OBJECT, body, context)
  return parse(body)

  function parse(inner: JsonObject): QueryNode {
    const [name, second] = Object.keys(inner)
    if (name === undefined) {
      const at = context.positionOf?.(inner, 'end')
      throw failures.illegalArgument(
        `query malformed, empty clause found${at ? ` at [${at.line}:${at.col}]` : ''}`,
        { at },
      )
    }
    const query = byName.get(name)
    if (!query) {
      if (refused.has(name)) throw unsupported(`query.${name}`, `[${name}] query`)
      throw unknownName(`unknown query [${name}]`, name, { outer: inner, known: KNOWN }, context)
    }
    if (!isObject(inner[name]))
      throw malformed(
        `[${name}] query malformed, no start_object after query name`,
        inner,
        context,
        { value: name },
      )
    if (second !== undefined)
      throw malformed(
        `[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`,
        inner,
        context,
        { name: second },
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
