import { failures, unsupported } from '../../errors.ts'
import type { FieldMapping } from '../../mapping/field.ts'
import { defineQuery, isObject, malformed, type ParseContext } from '../define.ts'
import { searchableField } from '../fields.ts'
import { boolOf, boosted, constant, NONE, type QueryNode } from '../node.ts'
import { plainText, readParameters } from '../parameters.ts'
import { booleanTerm, exactNode } from '../values.ts'

/** More values in one query are refused. */
export const MAX_TERMS = 65_536

const REFUSED = ['_name', 'value_type']

/** Documents with any of several exact values in a field. */
export const termsQuery = defineQuery({
  name: 'terms',
  parameters: ['boost'],
  refused: REFUSED,
  parse(body, context) {
    const fields = isObject(body)
      ? Object.keys(body).filter((key) => key !== 'boost' && !REFUSED.includes(key))
      : []
    const [field, second] = fields
    if (second !== undefined)
      throw malformed('[terms] query does not support multiple fields', body, context, {
        value: second,
      })
    if (field === undefined)
      throw malformed(
        '[terms] query requires a field name, followed by array of terms or a document lookup specification',
        body,
        context,
        'end',
      )
    const names = { name: 'terms', parameters: ['boost', field], refused: REFUSED }
    const parameters = readParameters(names, body, context)
    const boost = parameters.number('boost', 1)
    const values = parameters.value(field)
    if (isObject(values)) throw unsupported('query.terms.lookup', '[terms] lookup of a document')
    if (!Array.isArray(values))
      throw malformed(`[terms] query does not support [${field}]`, body, context, {
        value: field,
      })
    if (values.length > MAX_TERMS)
      throw failures.illegalArgument(
        `The number of terms [${values.length}] used in the Terms Query request has exceeded the allowed maximum of [${MAX_TERMS}].`,
      )
    if (values.includes(null))
      throw malformed('No value specified for terms query', values, context, {
        value: values.indexOf(null),
      })
    if (values.some(Array.isArray))
      throw malformed(`[terms] unknown token [END_ARRAY] after [${field}]`, values, context, 'end')
    if (field === '_id') return boosted({ kind: 'ids', ids: values.map(plainText) }, boost)
    const mapping = searchableField(context.fields, field)
    return mapping && values.length > 0 ? boosted(anyOf(mapping, values, context), boost) : NONE
  },
})

function anyOf(
  mapping: FieldMapping,
  values: readonly unknown[],
  context: ParseContext,
): QueryNode {
  const { path, type } = mapping
  if (type === 'text' || type === 'keyword')
    return { kind: 'termSet', field: path, terms: values.map(plainText) }
  if (type === 'boolean') {
    const terms = [...new Set(values.map(booleanTerm))]
    return terms.length === 2
      ? constant({ kind: 'exists', field: path })
      : { kind: 'term', field: path, term: terms[0]! }
  }
  return constant(boolOf({ should: values.map((value) => exactNode(mapping, value, context)) }))
}
