import { toNumber } from '../parse-json.ts'
import type { IdentifiedQuery } from '../request.ts'
import { invalidQuery } from './invalid-query.ts'

/** One entry of `dataField` with the weight that belongs to it. */
export interface WeightedField {
  name: string
  weight?: number
}

/** The fields of a query in their order. A field's own weight wins over `fieldWeights`. */
export function fieldsOf({ dataField = [], fieldWeights = [] }: IdentifiedQuery): WeightedField[] {
  const given = Array.isArray(dataField) ? dataField : [dataField]
  return given.map((one, position) => {
    const { field, weight } = typeof one === 'string' ? { field: one } : one
    const numeric = weight ?? fieldWeights[position]
    return numeric === undefined ? { name: field } : { name: field, weight: toNumber(numeric) }
  })
}

/** The names alone. @throws {GatewayError} DECLARATIVE_INVALID when there is none. */
export function requiredFields(query: IdentifiedQuery): [string, ...string[]] {
  const [first, ...rest] = fieldsOf(query).map(({ name }) => name)
  if (first === undefined)
    throw invalidQuery(query, 'dataField', `is missing: name the field to look in`)
  return [first, ...rest]
}

/** The field as text queries take it, such as `title^3.00`. Weights of 0 and below do not count. */
export const boosted = ({ name, weight = 0 }: WeightedField) =>
  weight > 0 ? `${name}^${twoDecimals(weight)}` : name

/** Two decimals, ties to the even digit: 0.125 is 0.12. `toFixed` would round that one up. */
function twoDecimals(value: number) {
  const isTie = Number.isInteger(value * 8) && !Number.isInteger(value * 4)
  if (!isTie) return value.toFixed(2)
  const hundredths = Math.floor(value * 100)
  return ((hundredths + (hundredths % 2)) / 100).toFixed(2)
}
