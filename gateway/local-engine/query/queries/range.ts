import { failures, unsupported } from '../../errors.ts'
import { zoneOffset } from '../../mapping/dates/calendar.ts'
import { dateFormats } from '../../mapping/dates/formats.ts'
import { parseDate } from '../../mapping/dates/parse-date.ts'
import type { FieldMapping } from '../../mapping/field.ts'
import { defineQuery, malformed, type ParseContext } from '../define.ts'
import { searchableField } from '../fields.ts'
import { boosted, NONE, type Bounds, type QueryNode } from '../node.ts'
import { plainText, readFieldParameters, type Parameters } from '../parameters.ts'
import { booleanTerm, numericBounds } from '../values.ts'

const names = {
  name: 'range',
  parameters: [
    'gt',
    'gte',
    'lt',
    'lte',
    'from',
    'to',
    'include_lower',
    'include_upper',
    'boost',
    'format',
    'time_zone',
    'relation',
  ],
  refused: ['_name'],
}

/** Documents with a value between two bounds. */
export const rangeQuery = defineQuery({
  ...names,
  parse(body, context) {
    const { field, parameters } = readFieldParameters(names, 'gte', body, context)
    if (typeof parameters.body === 'object' && !isRangeBody(body, field))
      throw malformed(`[range] query does not support [${field}]`, body, context, { value: field })
    const bounds = readBounds(parameters, context)
    readZone(parameters)
    dateFormats(parameters.text('format') ?? '')
    const relation = parameters.text('relation')
    if (relation !== undefined && !RELATIONS.has(relation.toLowerCase()))
      throw failures.illegalArgument(`${relation} is not a valid relation`)
    const boost = parameters.number('boost', 1)
    if (field === '_id') throw unsupported('query.range._id', '[range] query on [_id]')
    const mapping = searchableField(context.fields, field)
    if (!mapping) return NONE
    return boosted(rangeNode(mapping, bounds, parameters, context), boost)
  },
})

const isRangeBody = (body: unknown, field: string) =>
  typeof (body as Record<string, unknown>)[field] === 'object'

const RELATIONS = new Set(['intersects', 'contains', 'within'])

function readBounds(parameters: Parameters, context: ParseContext): Bounds<unknown> {
  const { body } = parameters
  const given = (...keys: string[]) => {
    const key = keys.findLast((one) => body[one] !== undefined && body[one] !== null)
    return { key, value: key === undefined ? undefined : body[key] }
  }
  const low = given('from', 'gte', 'gt')
  const high = given('to', 'lte', 'lt')
  for (const { key = '', value } of [low, high])
    if (typeof value === 'object') {
      const side = value === low.value ? 'lower' : 'upper'
      const reason = `invalid ${side} bound for [range] query`
      // The reader has gone on to the first value of a list by then.
      throw Array.isArray(value)
        ? malformed(reason, value, context, value.length > 0 ? { value: 0 } : 'end')
        : malformed(reason, body, context, { value: key })
    }
  return {
    low: low.value,
    high: high.value,
    includeLow: low.key === 'gt' ? false : parameters.flag('include_lower', true),
    includeHigh: high.key === 'lt' ? false : parameters.flag('include_upper', true),
  }
}

function rangeNode(
  mapping: FieldMapping,
  bounds: Bounds<unknown>,
  parameters: Parameters,
  context: ParseContext,
): QueryNode {
  const { path, type } = mapping
  if (type === 'date')
    return {
      kind: 'numericRange',
      field: path,
      ...dateBounds(mapping, bounds, parameters, context),
    }
  if (parameters.value('format') !== undefined)
    throw failures.illegalArgument(
      `Field [${path}] of type [${type}] does not support [format] in a range query`,
    )
  if (type === 'text' || type === 'keyword' || type === 'boolean') {
    const term = (value: unknown) =>
      value === undefined ? undefined : type === 'boolean' ? booleanTerm(value) : plainText(value)
    return {
      kind: 'termRange',
      field: path,
      ...bounds,
      low: term(bounds.low),
      high: term(bounds.high),
    }
  }
  return { kind: 'numericRange', field: path, ...numericBounds(mapping, bounds) }
}

function readZone(parameters: Parameters) {
  const zone = parameters.text('time_zone')
  if (zone === undefined || zoneOffset(zone, 0) !== undefined) return zone
  const reason = `Unknown time-zone ID: ${zone}`
  throw failures.illegalArgument(`java.time.zone.ZoneRulesException: ${reason}`, {
    causedBy: { type: 'zone_rules_exception', reason },
  })
}

/** A date without time in `gt` and `lte` means its last millisecond. */
function dateBounds(
  mapping: FieldMapping,
  { low, high, includeLow, includeHigh }: Bounds<unknown>,
  parameters: Parameters,
  { now }: ParseContext,
): Bounds<number> {
  const format = parameters.text('format') ?? mapping.format
  const timeZone = readZone(parameters) ?? 'Z'
  const read = (value: unknown, roundUp: boolean) =>
    value === undefined
      ? undefined
      : parseDate(plainText(value), format, { now, timeZone, roundUp })
  return { low: read(low, !includeLow), high: read(high, includeHigh), includeLow, includeHigh }
}
