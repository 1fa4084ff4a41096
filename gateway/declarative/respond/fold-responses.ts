import type { AnswerPlan } from '../answer-plan.ts'
import { elementsAt, endOfValue, visitMembers } from './json-slices.ts'
import { renameIndices } from './rename-indices.ts'

/** What an answer says besides the engine's. */
export interface FoldOptions {
  /** Answers of endpoint queries by id, as JSON text. */
  endpoints?: ReadonlyMap<string, string>
  /** Concrete index → the alias the client asked for. */
  aliasByIndex?: ReadonlyMap<string, string>
  pipelineId?: string
}

/** What a suggestion query that looks nowhere answers. */
const EMPTY =
  '{"took":0,"timed_out":false,"hits":{"total":{"value":0,"relation":"eq"},"max_score":null,"hits":[]},"status":200}'

/**
 * Makes the declarative answer `{settings, "<id>": …}` of an `_msearch` answer. Each response is
 * copied as text, so no digit changes and no hit is parsed. An answer that refuses all queries has
 * its `error` at the top level.
 * @throws {GatewayError} ENGINE_PROTOCOL when the answer is not that of a search.
 */
export function foldResponses(
  answer: string,
  { items, warnings }: AnswerPlan,
  { endpoints = new Map(), aliasByIndex = new Map(), pipelineId }: FoldOptions = {},
): string {
  const { took = '0', responses, error } = readAnswer(answer)
  const remaining = responses.values()
  const parts = new Map<string, string>()
  for (const { kind, id } of items) {
    const response =
      kind === 'empty' ? EMPTY : kind === 'endpoint' ? endpoints.get(id) : remaining.next().value
    if (response === undefined) continue
    parts.set(id, kind === 'engine' ? renameIndices(response, aliasByIndex) : response)
  }
  const extra = {
    ...(pipelineId !== undefined && { pipelineId }),
    ...(warnings.length > 0 && { warnings }),
  }
  const more = JSON.stringify(extra).slice(1, -1)
  const settings = `"settings":{"took":${took}${more && `,${more}`}}`
  const answers = [...parts].map(([id, response]) => `${JSON.stringify(id)}:${response}`)
  return `{${[settings, ...answers, ...(error ? [`"error":${error}`] : [])].join(',')}}`
}

function readAnswer(answer: string) {
  let took: string | undefined
  let error: string | undefined
  let responses: string[] = []
  visitMembers(answer, 0, (name, start) => {
    if (name === 'responses') {
      const list = elementsAt(answer, start)
      responses = list.elements
      return list.end
    }
    const end = endOfValue(answer, start)
    if (name === 'took') took = answer.slice(start, end)
    if (name === 'error') error = answer.slice(start, end)
    return end
  })
  return { took, error, responses }
}
