import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { errors } from '../errors.ts'

/**
 * The text of a file that was named on the command line; `-` is standard input.
 * @throws {GatewayError} NOT_FOUND when it cannot be read, REQUEST_INVALID when it is not UTF-8.
 */
export function readGivenFile(file: string): string {
  const bytes = readOrRefuse(file)
  if (!isUtf8(bytes))
    throw errors.requestInvalid(`"${file}" is not UTF-8: save it as UTF-8 and try again`)
  return bytes.toString('utf8')
}

function readOrRefuse(file: string) {
  try {
    return readFileSync(file === '-' ? 0 : file)
  } catch (cause) {
    const isThere = cause instanceof Error && 'code' in cause && cause.code !== 'ENOENT'
    throw errors.notFound(
      isThere
        ? `The file "${file}" cannot be read: ${cause.message}`
        : `There is no file "${file}" to read`,
      { cause },
    )
  }
}
