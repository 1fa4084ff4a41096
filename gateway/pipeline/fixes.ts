import type { Fix } from '../contract/diagnostic.ts'
import { type Batches, writeBatches } from './edit/write-batches.ts'
import { nearestName } from './nearest.ts'
import type { Path, Rewrite, SourceDocument } from './read-document.ts'

/** Writes the name that was probably meant in the place of a mistyped value. */
export function fixName(
  document: SourceDocument,
  path: Path,
  name: string,
  known: Iterable<string>,
): Fix | undefined {
  const near = nearestName(name, known)
  return near === undefined ? undefined : changeTo(near, document.rewrite(path, near))
}

/** Writes the name that was probably meant in the place of a mistyped key. */
export function fixKey(
  document: SourceDocument,
  path: Path,
  known: Iterable<string>,
): Fix | undefined {
  const near = nearestName(String(path.at(-1)), known)
  return near === undefined ? undefined : changeTo(near, document.rewriteKey(path, near))
}

/** A fix that writes one name. */
export const changeTo = (name: string, rewrite: Rewrite | undefined): Fix | undefined =>
  rewrite && { title: `Change to "${name}"`, edits: [rewrite] }

/** A fix that makes changes in the structure of the text, batch by batch; nothing when it cannot. */
export function fixByOperations(
  document: SourceDocument,
  title: string,
  batches: Batches,
): Fix | undefined {
  const { file, text } = document
  const written = writeBatches({ path: file, text }, batches, document.value)
  if ('why' in written) return undefined
  const after = written.text
  let start = 0
  while (start < text.length && text[start] === after[start]) start++
  let end = 0
  const most = Math.min(text.length, after.length) - start
  while (end < most && text.at(-1 - end) === after.at(-1 - end)) end++
  const range = document.rangeOf(start, text.length - end)
  return { title, edits: [{ range, text: after.slice(start, after.length - end) }] }
}
