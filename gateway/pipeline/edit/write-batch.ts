import { type Document, parseDocument } from 'yaml'
import { applyTextEdits } from '../text-edit.ts'
import type { Operation } from './operation.ts'
import { styleOf } from './print.ts'
import { writeOperation } from './write-operation.ts'

/**
 * The text after operations that touch different places of it. `alias`: one of them leads through an
 * anchor's contents; undefined: the text has no way to hold one of them.
 */
export function writeBatch(text: string, batch: readonly Operation[], isJson: boolean) {
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
