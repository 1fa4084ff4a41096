import { errors } from '../../errors.ts'
import { parseApiJson } from './parse-api-json.ts'
import type { Form, FormPart } from './read-form.ts'

/** Parts with a meaning of their own; every other part is the script behind the `scriptRef` it is named by. */
const OWN_PARTS = new Set(['pipeline', 'request', 'description'])

/**
 * A form in the shape the same call has as JSON; domain, section 3.1.
 * @throws {GatewayError} REQUEST_INVALID when a text part that must be JSON is none.
 */
export function formToBody(form: Form): unknown {
  const scripts = [...form].filter(([name]) => !OWN_PARTS.has(name))
  const pipeline = form.get('pipeline')
  const request = form.get('request')
  const description = form.get('description')
  return {
    ...(pipeline && { pipeline: toSource('pipeline', pipeline) }),
    scripts: Object.fromEntries(scripts.map(([name, part]) => [name, toSource(name, part)])),
    ...(request && { request: parsePart('request', request.text) }),
    ...(description && { description: description.text }),
  }
}

/** A file is its text; a plain part is JSON with `content` and `extension`. */
function toSource(name: string, { text, fileName }: FormPart): unknown {
  if (fileName === undefined) return parsePart(name, text)
  const dot = fileName.lastIndexOf('.')
  return { content: text, extension: dot < 0 ? '' : fileName.slice(dot + 1) }
}

function parsePart(name: string, text: string): unknown {
  try {
    return parseApiJson(text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw errors.requestInvalid(
      `The part "${name}" is no JSON: ${why}; send a file, or JSON with "content" and "extension"`,
      { cause },
    )
  }
}
