let identity = new Int32Array(0)

/** All documents of a segment: a shared array, never to be written. */
export function allDocs(docCount: number): Int32Array {
  if (identity.length < docCount) identity = Int32Array.from({ length: docCount }, (_, i) => i)
  return identity.subarray(0, docCount)
}

/** The documents marked with a byte other than 0, ascending. */
export function markedDocs(marks: Uint8Array, docCount: number): Int32Array {
  const docs = new Int32Array(docCount)
  const words = new Int32Array(marks.buffer, marks.byteOffset, marks.length >> 2)
  let count = 0
  for (let word = 0; word < words.length; word++) {
    if (words[word] === 0) continue
    const first = word << 2
    for (let doc = first; doc < first + 4; doc++) if (marks[doc] !== 0) docs[count++] = doc
  }
  return docs.subarray(0, count)
}

/** Marks for `markedDocs`: a byte a document, their number rounded up to whole words. */
export const createMarks = (docCount: number) => new Uint8Array((docCount + 3) & ~3)

/** Those of `docs` that are marked. */
export function filterMarked(docs: Int32Array, marks: Uint8Array): Int32Array {
  const kept = new Int32Array(docs.length)
  let count = 0
  for (const doc of docs) if (marks[doc] !== 0) kept[count++] = doc
  return kept.subarray(0, count)
}

/**
 * Where the documents two ascending lists share stand in the first.
 * @returns indices into `list`, ascending.
 */
export function sharedIndices(list: Int32Array, within: Int32Array): Int32Array {
  const found = new Int32Array(Math.min(list.length, within.length))
  let count = 0
  const skips = within.length * 16 < list.length
  let at = 0
  for (const doc of within) {
    if (skips) at = gallop(list, at, doc)
    else while (at < list.length && list[at]! < doc) at++
    if (at === list.length) break
    if (list[at] === doc) found[count++] = at++
  }
  return found.subarray(0, count)
}

/** The first index from `from` on whose document is not below `doc`; the length when there is none. */
export function gallop(list: Int32Array, from: number, doc: number): number {
  let step = 1
  let low = from
  let high = from
  while (high < list.length && list[high]! < doc) {
    low = high + 1
    high += step
    step *= 2
  }
  if (high > list.length) high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < doc) low = middle + 1
    else high = middle
  }
  return low
}
