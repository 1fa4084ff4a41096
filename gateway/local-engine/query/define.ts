import type { Profile } from '../config.ts'
import {
  EngineFailure,
  parsingFailure,
  xContentParseFailure,
  type BodyPosition,
} from '../errors.ts'
import type { FieldLookup } from '../mapping/field.ts'
import type { QueryNode } from './node.ts'

/** What parsing a query needs to know. */
export interface ParseContext {
  readonly fields: FieldLookup
  readonly profile: Profile
  /** Epoch milliseconds, one instant for the whole request. */
  readonly now: number
  /** Where an object or array of the body begins, when the reader of the body kept it. */
  readonly positionOf?: ((value: object) => BodyPosition | undefined) | undefined
  /** Parses a query inside this one. */
  parse(body: unknown): QueryNode
}

/** One query of the dialect: its name, what may stand in it, and what it becomes. */
export interface QueryDefinition {
  readonly name: string
  /** Parameters that take effect, or rightly have none on one node. */
  readonly parameters: readonly string[]
  /** Parameters the dialect has and this engine refuses. */
  readonly refused: readonly string[]
  readonly parse: (body: unknown, context: ParseContext) => QueryNode
}

/** Registers a query; one file each. */
export const defineQuery = (definition: QueryDefinition): QueryDefinition => definition

/** A malformed body, with its place when that is known. */
export function malformed(
  reason: string,
  value: unknown,
  context: Pick<ParseContext, 'positionOf'>,
): EngineFailure {
  const at = positionOf(value, context)
  return at ? parsingFailure(reason, at) : new EngineFailure(400, 'parsing_exception', reason)
}

/** A name nobody knows, where a query or an aggregation was expected; `value` is what it names. */
export function unknownName(
  reason: string,
  name: string,
  value: unknown,
  context: Pick<ParseContext, 'positionOf'>,
): EngineFailure {
  const at = positionOf(value, context)
  const where = at ? `[${at.line}:${at.col}] ` : ''
  return new EngineFailure(400, 'parsing_exception', reason, {
    extra: { ...at },
    causedBy: {
      type: 'named_object_not_found_exception',
      reason: `${where}unknown field [${name}]`,
    },
  })
}

/** A parameter nobody knows, of the parts whose errors have their place inside the sentence. */
export function unknownField(
  reason: string,
  value: unknown,
  context: Pick<ParseContext, 'positionOf'>,
): EngineFailure {
  const at = positionOf(value, context)
  return at
    ? xContentParseFailure(reason, at)
    : new EngineFailure(400, 'x_content_parse_exception', reason)
}

const positionOf = (value: unknown, context: Pick<ParseContext, 'positionOf'>) =>
  typeof value === 'object' && value !== null ? context.positionOf?.(value) : undefined

/** A JSON object as the body reader makes it. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Tells an object from arrays, null and plain values. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The engine's name for the kind of a value, as its errors show it. */
export function tokenName(value: unknown): string {
  if (value === null) return 'VALUE_NULL'
  if (Array.isArray(value)) return 'START_ARRAY'
  if (typeof value === 'object') return 'START_OBJECT'
  if (typeof value === 'boolean') return 'VALUE_BOOLEAN'
  return typeof value === 'string' ? 'VALUE_STRING' : 'VALUE_NUMBER'
}
