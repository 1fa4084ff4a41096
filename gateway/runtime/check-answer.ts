import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Context } from '../contract/context.ts'
import { errors } from '../errors.ts'

/**
 * Refuses an answer that HTTP cannot carry, whoever made it.
 * @throws {GatewayError} SCRIPT_RESULT_INVALID naming what is wrong.
 */
export function checkAnswer({ code, headers }: Context['response']) {
  // Stages may leave 0, which stands for 200; an informational code is no answer.
  if (code !== 0 && (code < 200 || code > 599))
    throw errors.scriptResultInvalid(
      `The pipeline leaves response.code ${code}, which is no status code from 200 to 599`,
    )
  for (const name in headers)
    try {
      validateHeaderName(name)
      validateHeaderValue(name, headers[name] ?? '')
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw errors.scriptResultInvalid(
        `The pipeline leaves response.headers[${JSON.stringify(name)}], which cannot be sent: ${why}`,
        { cause },
      )
    }
}
