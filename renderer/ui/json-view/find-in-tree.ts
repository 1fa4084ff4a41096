import { findInText, MAX_MATCHES } from './find-in-text.ts'
import type { JsonIndex } from './json-index.ts'
import type { JsonDoc, JsonRow } from './json-tree.ts'

/**
 * Lines whose key or value holds the query, in the order of the tree, once per occurrence. Where a
 * string is shown parsed, its own text is searched in place of the string.
 */
export async function findInTree(
  doc: JsonDoc,
  query: string,
  signal: AbortSignal,
): Promise<JsonRow[]> {
  const found: JsonRow[] = []
  const inner = [...doc.lenses]
    .filter((entry): entry is [number, JsonDoc] => typeof entry[1] === 'object')
    .toSorted(([a], [b]) => a - b)
  const takeInnerUpTo = async (node: number) => {
    while (inner[0] && inner[0][0] <= node && found.length < MAX_MATCHES)
      found.push(...(await findInTree(inner.shift()?.[1] ?? doc, query, signal)))
  }
  for (const offset of await findInText(doc.index.text, query, signal)) {
    const node = nodeAt(doc.index, offset, query.length)
    if (node < 0) continue
    await takeInnerUpTo(node - 1)
    const isInValue = offset >= (doc.index.start[node] ?? 0)
    if (isInValue && typeof doc.lenses.get(node) === 'object') continue
    found.push({ doc, node })
  }
  await takeInnerUpTo(Infinity)
  return found.slice(0, MAX_MATCHES)
}

/** The node in whose key or scalar value the range lies; -1 between tokens. */
function nodeAt(index: JsonIndex, offset: number, length: number) {
  const beginOf = (node: number) => {
    const keyStart = index.keyStart[node] ?? -1
    return keyStart >= 0 ? keyStart : (index.start[node] ?? 0)
  }
  let low = 0
  let high = index.count - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (beginOf(middle) <= offset) low = middle
    else high = middle - 1
  }
  const inKey = offset >= (index.keyStart[low] ?? 0) && offset + length <= (index.keyEnd[low] ?? 0)
  const isScalar = index.next[low] === low + 1 && index.childCount[low] === 0
  const inValue =
    isScalar && offset >= (index.start[low] ?? 0) && offset + length <= (index.end[low] ?? 0)
  return inKey || inValue ? low : -1
}
