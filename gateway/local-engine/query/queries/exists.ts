import { failures } from '../../errors.ts'
import { defineQuery, malformed } from '../define.ts'
import { isPattern, nameMatcher } from '../fields.ts'
import { ALL, boolOf, boosted, constant, NONE } from '../node.ts'
import { readParameters } from '../parameters.ts'

const names = { name: 'exists', parameters: ['field', 'boost'], refused: ['_name'] }

/** Documents that have a field; an object has one when any of its fields has. */
export const existsQuery = defineQuery({
  ...names,
  parse(body, context) {
    const parameters = readParameters(names, body, context)
    const field = parameters.text('field')
    if (field === undefined)
      throw malformed('[exists] must be provided with a [field]', body, context, 'end')
    if (field === '') throw failures.illegalArgument('field name is null or empty')
    const boost = parameters.number('boost', 1)
    if (field === '_id' || field === '_source' || field === '_index')
      return boosted(constant(ALL), boost)
    const matches = nameMatcher(field)
    const isLeaf = context.fields.field(field) !== undefined
    const paths = Array.from(context.fields.all(), ({ path }) => path).filter((path) =>
      isLeaf ? path === field : isPattern(field) ? matches(path) : path.startsWith(`${field}.`),
    )
    if (paths.length === 0) return NONE
    const should = paths.map((path) => ({ kind: 'exists', field: path }) as const)
    return boosted(constant(should.length === 1 ? should[0]! : boolOf({ should })), boost)
  },
})
