import { isJsonObject, type JsonObject } from '../json-object.ts'
import { isNumeric, toDigits } from '../parse-json.ts'
import type { IdentifiedQuery } from '../request.ts'
import { requiredFields } from './fields.ts'
import { invalidQuery } from './invalid-query.ts'
import { inNested } from './nested.ts'

/** The clause of a `geo` query: a box when one is given, else a distance; none without value. */
export function geoClause(query: IdentifiedQuery): JsonObject | undefined {
  const { value } = query
  if (value === undefined) return undefined
  const [field] = requiredFields(query)
  if (!isJsonObject(value))
    throw invalidQuery(
      query,
      'value',
      'must be {distance, unit, location} or {geoBoundingBox: {topLeft, bottomRight}}',
    )
  const { geoBoundingBox: box } = value
  const clause =
    box === undefined || box === null
      ? distanceClause(query, field, value)
      : boxClause(query, field, box)
  return inNested(query, clause)
}

function distanceClause(query: IdentifiedQuery, field: string, value: JsonObject) {
  const { distance, unit, location } = value
  if (!isNumeric(distance)) throw invalidQuery(query, 'value.distance', 'must be a number')
  if (typeof unit !== 'string' || unit === '')
    throw invalidQuery(query, 'value.unit', 'must be mi, yd, ft, km, m, cm, mm or nmi')
  if (typeof location !== 'string' || location === '')
    throw invalidQuery(query, 'value.location', 'must be text such as "52.4, 4.9"')
  return { geo_distance: { distance: `${toDigits(distance)}${unit}`, [field]: location } }
}

function boxClause(query: IdentifiedQuery, field: string, box: unknown) {
  if (!isJsonObject(box))
    throw invalidQuery(query, 'value.geoBoundingBox', 'must be {topLeft, bottomRight}')
  const { topLeft, bottomRight } = box
  for (const [name, corner] of Object.entries({ topLeft, bottomRight }))
    if (typeof corner !== 'string' || corner === '')
      throw invalidQuery(query, `value.geoBoundingBox.${name}`, 'must be text such as "57, -3"')
  return { geo_bounding_box: { [field]: { top_left: topLeft, bottom_right: bottomRight } } }
}
