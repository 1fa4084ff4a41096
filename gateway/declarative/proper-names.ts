import type { JsonObject } from './json-object.ts'
import { Query, Settings } from './request.ts'

/** Gives an object's known properties their proper spelling, and leaves unknown ones as they are. */
const speller = (names: readonly string[]) => {
  const properByLower = new Map(names.map((name) => [name.toLowerCase(), name]))
  return (object: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]) => [
        properByLower.get(key.toLowerCase()) ?? key,
        value,
      ]),
    )
}

/** Clients may write `datafield` for `dataField`: the reference never looked at the case. */
export const properNames = {
  request: speller(['query', 'settings', 'metadata']),
  query: speller(Object.keys(Query.shape)),
  settings: speller(Object.keys(Settings.shape)),
  endpoint: speller(['url', 'method', 'headers', 'body']),
}
