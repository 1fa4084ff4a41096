import { nestingDepth, parseJson } from '../../declarative/parse-json.ts'

/** Far more than a pipeline needs; whoever masks or writes a value calls itself for each level. */
const DEEPEST = 500

/**
 * What a JSON text of a client holds. Numbers keep their digits when they are written again.
 * @throws {SyntaxError} on malformed text, and on lists and maps too deep inside one another.
 */
export function parseApiJson(text: string): unknown {
  if (nestingDepth(text) > DEEPEST)
    throw new SyntaxError(`it is nested deeper than ${DEEPEST} levels`)
  return parseJson(text)
}
