import { type JsonObject } from '../json-object.ts'
import type { Backend, IdentifiedQuery } from '../request.ts'

/** Scores what `body` matches by nearness to `queryVector`, when the query has one. */
export function withVectors(
  query: IdentifiedQuery,
  body: JsonObject,
  backend: Backend,
): JsonObject {
  const { queryVector, vectorDataField, candidates = 10, script } = query
  if (!queryVector || !vectorDataField) return body
  const asked = query.size ?? query.defaultQuery?.size
  const scorer =
    backend === 'opensearch'
      ? {
          source: 'knn_score',
          lang: 'knn',
          params: {
            field: vectorDataField,
            query_value: queryVector,
            space_type: script ?? 'cosinesimil',
          },
        }
      : {
          source: script ?? 'cosineSimilarity(params.queryVector, params.dataField) + 1.0',
          params: { queryVector, dataField: vectorDataField },
        }
  return {
    ...body,
    query: { script_score: { query: body.query, script: scorer } },
    size: typeof asked === 'number' ? Math.min(candidates, asked) : candidates,
  }
}
