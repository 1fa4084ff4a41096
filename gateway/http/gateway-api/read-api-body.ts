import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { errors } from '../../errors.ts'
import { readBody } from '../read-body.ts'
import { formToBody } from './form-to-body.ts'
import { parseApiJson } from './parse-api-json.ts'
import { readForm } from './read-form.ts'

/** What the reference takes; a pipeline with all its scripts is far below. */
const LIMIT_BYTES = 32 * 1024 * 1024

/**
 * Reads the body of an API call: JSON, or a form where the route takes one, brought to the shape of
 * the JSON. An empty body is undefined. Numbers keep their digits when they are written again.
 * @throws {GatewayError} BODY_TOO_LARGE, MEDIA_TYPE_UNSUPPORTED, REQUEST_INVALID.
 */
export async function readApiBody(request: IncomingMessage, takesForm: boolean): Promise<unknown> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers
  if (encoding !== 'identity')
    throw errors.mediaTypeUnsupported(`Send the body as it is, not as ${encoding}`)
  const bytes = await readBody(request, LIMIT_BYTES, (limit) =>
    errors.bodyTooLarge(`The body is larger than the ${limit / 1_048_576} MB this API takes`),
  )
  if (!isUtf8(bytes))
    throw errors.requestInvalid(
      'The body is not UTF-8: save its texts as UTF-8 and send them again',
    )
  if (/^multipart\/form-data\b/i.test(type)) {
    if (takesForm) return formToBody(await readForm(type, bytes))
    throw errors.mediaTypeUnsupported('This route takes JSON, not a form')
  }
  if (bytes.length === 0) return undefined
  // Any other type is what a form of a foreign page could send, too.
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
    throw errors.mediaTypeUnsupported(
      `This route takes ${takesForm ? 'multipart/form-data or ' : ''}application/json, ` +
        (type === '' ? 'and the request names no content-type' : `not "${type}"`),
    )
  try {
    return parseApiJson(bytes.toString('utf8'))
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw errors.requestInvalid(`The body is no JSON: ${why}`, { cause })
  }
}
