import { type Document, parseDocument } from 'yaml'
import { type Path, readDocument } from '../read-document.ts'
import { applyTextEdits } from '../text-edit.ts'
import { applyOperation, isSame, type Operation } from './operation.ts'
import { styleOf } from './print.ts'
import { writeOperation } from './write-operation.ts'

/** Operations batch by batch: those of one batch touch different places of one and the same text. */
export type Batches = readonly (readonly Operation[])[]

/**
 * Why operations were not written. `shared`: the place belongs to an anchor elsewhere; `impossible`:
 * the text cannot hold the result without other changes.
 */
export interface Failure {
  readonly why: 'shared' | 'impossible'
  readonly path: Path
}

/**
 * Makes operations in a text. After each batch the text is read again and must mean what the
 * operations make of the value; so it holds exactly that, or nothing was done. `read` is the value of
 * the text where it is known already. Never throws.
 */
export function writeBatches(
  file: { path: string; text: string },
  batches: Batches,
  read: unknown = readValue(file),
): { text: string } | Failure {
  let { text } = file
  let value: unknown = read ?? {}
  for (const batch of batches) {
    if (batch.length === 0) continue
    const path = batch[0]?.path ?? []
    const next = writeBatch(text, batch, file.path.endsWith('.json'))
    if (next === 'alias') return { why: 'shared', path }
    value = batch.reduce(applyOperation, value)
    if (next === undefined || !isSame(readValue({ ...file, text: next }), value))
      return { why: 'impossible', path }
    text = next
  }
  return { text }
}

function writeBatch(text: string, batch: readonly Operation[], isJson: boolean) {
  const doc: Document = parseDocument(text, {
    keepSourceTokens: true,
    merge: true,
    logLevel: 'error',
  })
  const file = { doc, text, style: styleOf(doc, text, isJson) }
  const edits = batch.map((operation) => writeOperation(file, operation))
  if (edits.includes('alias')) return 'alias'
  if (edits.includes('missing')) return undefined
  try {
    return applyTextEdits(
      text,
      edits.flatMap((one) => (typeof one === 'string' ? [] : one)),
    )
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readValue({ path, text }: { path: string; text: string }): unknown {
  const { value, diagnostics } = readDocument(path, text)
  return diagnostics.some(({ severity }) => severity === 'error') ? undefined : value
}
