import { invalidIndexName } from '../errors.ts'

const FORBIDDEN = /[ "*\\<|,>/?]/

/** @throws {EngineFailure} invalid_index_name_exception for a name no index may have. */
export function checkIndexName(name: string): void {
  if (FORBIDDEN.test(name))
    throw invalidIndexName(
      name,
      'must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]',
    )
  if (name.includes('#')) throw invalidIndexName(name, "must not contain '#'")
  if (name.includes(':')) throw invalidIndexName(name, "must not contain ':'")
  if (/^[_+-]/.test(name)) throw invalidIndexName(name, "must not start with '_', '-', or '+'")
  if (Buffer.byteLength(name) > 255)
    throw invalidIndexName(name, `index name is too long, (${Buffer.byteLength(name)} > 255)`)
  if (name === '.' || name === '..') throw invalidIndexName(name, "must not be '.' or '..'")
  if (name !== name.toLowerCase()) throw invalidIndexName(name, 'must be lowercase')
}
