import { nextTask } from './index-in-slices.ts'

const SLICE_CHARS = 2_000_000

/** More matches than this are not counted; the view then says `5,000+`. */
export const MAX_MATCHES = 5000

/** A pattern for the very characters that were typed, whatever their case. */
export const toPattern = (query: string) => new RegExp(RegExp.escape(query), 'gi')

/** Offsets of a query in a text, ascending, at most `MAX_MATCHES`; yields to the page in between. */
export async function findInText(text: string, query: string, signal: AbortSignal) {
  const starts: number[] = []
  if (query === '') return starts
  const pattern = toPattern(query)
  for (let from = 0; from < text.length && starts.length < MAX_MATCHES; from += SLICE_CHARS) {
    if (from > 0) await nextTask()
    signal.throwIfAborted()
    // A match may begin in this slice and end in the next.
    const slice = text.slice(from, from + SLICE_CHARS + query.length - 1)
    for (const { index } of slice.matchAll(pattern)) {
      if (index >= SLICE_CHARS || starts.push(from + index) === MAX_MATCHES) break
    }
  }
  return starts
}
