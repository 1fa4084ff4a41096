import type { Profile } from '../config.ts'
import {
  EngineFailure,
  parsingFailure,
  toCause,
  xContentParseFailure,
  type BodyPosition,
} from '../errors.ts'
import type { Place, PositionOf } from '../json/parse.ts'
import type { FieldLookup } from '../mapping/field.ts'
import type { QueryNode } from './node.ts'
import { suggest } from './suggest.ts'

/** What parsing a query needs to know. */
export interface ParseContext {
  readonly fields: FieldLookup
  readonly profile: Profile
  /** Epoch milliseconds, one instant for the whole request. */
  readonly now: number
  /** Where parts of the body stand, when the reader of the body kept it. */
  readonly positionOf?: PositionOf | undefined
  /** Parses a query inside this one: the value of `name` in `outer`. */
  parse(outer: object, name: string | number): QueryNode
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

/** The part of a context that says where things stand. */
export type Positions = Pick<ParseContext, 'positionOf'>

/** A malformed body; `part` is what is wrong or, with `place`, what it stands in. */
export function malformed(
  reason: string,
  part: unknown,
  context: Positions,
  place?: Place,
): EngineFailure {
  const at = positionOf(part, context, place)
  return at ? parsingFailure(reason, at) : new EngineFailure(400, 'parsing_exception', reason)
}

/** A name nobody knows in `outer`, where one of `known` was expected. */
export function unknownName(
  reason: string,
  name: string,
  { outer, known }: { outer: object; known: readonly string[] },
  context: Positions,
): EngineFailure {
  const at = context.positionOf?.(outer, { value: name })
  const where = at ? `[${at.line}:${at.col}] ` : ''
  return new EngineFailure(400, 'parsing_exception', `${reason}${suggest(name, known)}`, {
    extra: { ...at },
    at,
    causedBy: {
      type: 'named_object_not_found_exception',
      reason: `${where}unknown field [${name}]`,
    },
  })
}

/** A part of a body that the engine reads field by field, by its name in errors. */
export interface FieldByField {
  readonly parser: string
  readonly body: JsonObject
}

const atPlace = (reason: string, at: BodyPosition | undefined) =>
  at
    ? xContentParseFailure(reason, at)
    : new EngineFailure(400, 'x_content_parse_exception', reason)

/** A parameter nobody knows; `known` are suggested when they are like it. */
export function unknownField(
  { parser, body }: FieldByField,
  name: string,
  known: readonly string[],
  context: Positions,
): EngineFailure {
  const where = context.positionOf?.(body, { name })
  const reason = `[${parser}] unknown field [${name}]${suggest(name, known)}`
  // The reader has gone on to the value by then.
  const at = context.positionOf?.(body, { value: name })
  return new EngineFailure(
    400,
    'x_content_parse_exception',
    where ? `[${where.line}:${where.col}] ${reason}` : reason,
    { at },
  )
}

/** A parameter of a kind that is never taken, such as an object for a number. */
export function wrongKind({ parser, body }: FieldByField, name: string, context: Positions) {
  const at = context.positionOf?.(body, { value: name })
  const kind = tokenName(body[name])
  return atPlace(`[${parser}] ${name} doesn't support values of type: ${kind}`, at)
}

const OWN = new Set(['parsing_exception', 'parse_exception', 'x_content_parse_exception'])

/** A parameter whose value was refused, for the reason that becomes the cause. */
export function wrongField(
  { parser, body }: FieldByField,
  name: string,
  cause: EngineFailure,
  context: Positions,
): EngineFailure {
  const at = cause.at ?? context.positionOf?.(body, { value: name })
  const reason = `[${parser}] failed to parse field [${name}]`
  const causedBy = toCause(cause)
  // The root is the innermost of the engine's own exceptions, not one of its libraries'.
  const { caused_by: _, ...root } = causedBy
  const rootCauses = cause.rootCauses ?? (OWN.has(cause.type) ? [root] : undefined)
  return new EngineFailure(
    400,
    'x_content_parse_exception',
    at ? `[${at.line}:${at.col}] ${reason}` : reason,
    { causedBy, at, ...(rootCauses && { rootCauses }) },
  )
}

const positionOf = (part: unknown, context: Positions, place?: Place) =>
  typeof part === 'object' && part !== null ? context.positionOf?.(part, place) : undefined

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
