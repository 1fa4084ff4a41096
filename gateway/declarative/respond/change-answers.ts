import { errors } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../json-object.ts'
import { parseJson } from '../parse-json.ts'

/** Keys of a declarative answer that are no query's id. */
const NOT_IDS = new Set(['settings', 'error'])

/**
 * Rewrites the answer of every query in a declarative answer; numbers stay to the digit.
 * @throws {GatewayError} STAGE_FAILED when the body is something else.
 */
export function changeAnswers(
  body: string,
  change: (answer: JsonObject, id: string) => JsonObject,
): string {
  const answers = readAnswers(body)
  const changed = Object.entries(answers).map(([id, answer]) => [
    id,
    NOT_IDS.has(id) || !isJsonObject(answer) ? answer : change(answer, id),
  ])
  return JSON.stringify(Object.fromEntries(changed))
}

function readAnswers(body: string): JsonObject {
  let cause: unknown
  try {
    const answers = parseJson(body)
    if (isJsonObject(answers)) return answers
  } catch (error) {
    cause = error
  }
  throw errors.stageFailed(
    'The response body is no declarative answer {"<query id>": {…}}. ' +
      'A stage that changes answers must stand after searchEngineQuery',
    { cause },
  )
}
