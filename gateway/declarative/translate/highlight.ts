import type { JsonObject } from '../json-object.ts'
import type { IdentifiedQuery } from '../request.ts'
import { fieldsOf } from './fields.ts'
import { invalidQuery } from './invalid-query.ts'

/**
 * What to mark in the hits; undefined when highlighting is off.
 * @throws {GatewayError} DECLARATIVE_INVALID for a `highlightConfig` that would have no effect.
 */
export function highlightOf(query: IdentifiedQuery): JsonObject | undefined {
  if (!query.highlight) {
    if (query.highlightConfig)
      throw invalidQuery(query, 'highlightConfig', 'has no effect: add "highlight": true')
    return undefined
  }
  const chosen = query.highlightField ?? []
  const names = chosen.length > 0 ? chosen : fieldsOf(query).map(({ name }) => name)
  const fields = Object.fromEntries(names.map((name) => [name, {}]))
  const config = query.highlightConfig ?? query.customHighlight
  if (config) return { fields, ...config }
  // Clients of suggestions know the tags as texts and in exactly this form.
  if (query.type === 'suggestion')
    return { fields, pre_tags: '<b class="highlight">', post_tags: '</b>' }
  return {
    fields,
    pre_tags: ['<mark>'],
    post_tags: ['</mark>'],
    ...(chosen.length > 0 && { require_field_match: false }),
  }
}
