import { documentMissing, failures, type IndexIdentity } from '../errors.ts'
import { parseJson, type JsonObject } from '../json/parse.ts'
import { isRaw } from '../json/values.ts'
import { writeJson } from '../json/write.ts'
import { isObject } from '../mapping/parse.ts'
import type { StoredRow } from '../store/documents.ts'
import type { UpdateRequest } from './operation.ts'

/**
 * The source an update leaves behind; null when it changes nothing.
 * @throws {EngineFailure} document_missing_exception without a document and without an upsert.
 */
export function applyUpdate(
  index: IndexIdentity,
  id: string,
  stored: StoredRow | undefined,
  { doc, upsert, docAsUpsert, detectNoop }: UpdateRequest,
): Uint8Array | null {
  if (!stored) {
    const first = docAsUpsert ? doc : upsert
    if (!first) throw documentMissing(index, id)
    return writeJson(first)
  }
  const current = parseJson(stored.source, { keepNumberText: true })
  if (!isObject(current))
    throw failures.illegalArgument(`the source of document [${id}] is not an object`)
  const merged = mergeInto(current, doc ?? {})
  return merged.changed || !detectNoop ? writeJson(merged.value) : null
}

function mergeInto(base: JsonObject, changes: JsonObject): { value: JsonObject; changed: boolean } {
  // A map, because a field may be called `__proto__`.
  const value = new Map(Object.entries(base))
  let changed = false
  for (const [key, change] of Object.entries(changes)) {
    const before = value.get(key)
    if (isPlain(before) && isPlain(change)) {
      const inner = mergeInto(before, change)
      value.set(key, inner.value)
      changed ||= inner.changed
    } else if (!value.has(key) || !isSame(before, change)) {
      value.set(key, change)
      changed = true
    }
  }
  return { value: Object.fromEntries(value), changed }
}

const isPlain = (value: unknown): value is JsonObject => isObject(value) && !isRaw(value)

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return typeof a === 'object' && typeof b === 'object' && writeJson(a).equals(writeJson(b))
}
