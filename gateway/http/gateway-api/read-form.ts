import { Busboy } from '@fastify/busboy'
import { errors } from '../../errors.ts'

/** One part of a form; a part with a file name is a file. */
export interface FormPart {
  text: string
  fileName?: string
}

/** Parts of a form by their name. */
export type Form = ReadonlyMap<string, FormPart>

const MAX_PARTS = 500
const MAX_NAME_BYTES = 1_000

/**
 * Reads `multipart/form-data` (RFC 7578); texts are UTF-8.
 * @throws {GatewayError} REQUEST_INVALID when the form is broken, cut off, or names a part twice.
 */
export function readForm(contentType: string, bytes: Buffer): Promise<Form> {
  const parts = new Map<string, FormPart>()
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) =>
      reject(errors.requestInvalid(`The form cannot be read: ${why}`, { cause }))
    const add = (name: string | undefined, part: FormPart) => {
      if (!name) fail('it has a part without a name')
      else if (parts.has(name)) fail(`it has two parts named "${name}"`)
      else parts.set(name, part)
    }
    try {
      const reader = new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          parts: MAX_PARTS,
          fieldNameSize: MAX_NAME_BYTES,
          fieldSize: bytes.length,
          fileSize: bytes.length,
        },
        isPartAFile: (_name, _type, fileName) => fileName !== undefined,
      })
      reader.on('field', (name, text, isNameCut) => {
        if (isNameCut) fail(`a part's name is longer than ${MAX_NAME_BYTES} bytes`)
        else add(name, { text })
      })
      reader.on('file', (name, stream, fileName) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('error', (cause: Error) => fail(cause.message, cause))
        stream.on('end', () =>
          add(name, { text: Buffer.concat(chunks).toString('utf8'), fileName }),
        )
      })
      reader.on('partsLimit', () => fail(`it has more than ${MAX_PARTS} parts`))
      reader.on('error', (cause) => fail(cause instanceof Error ? cause.message : String(cause)))
      reader.on('finish', () => resolve(parts))
      reader.end(bytes)
    } catch (cause) {
      fail(cause instanceof Error ? cause.message : String(cause), cause)
    }
  })
}
