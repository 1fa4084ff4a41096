import type { Matches } from '../query/weight.ts'

/** The best documents of one segment by score; equal scores keep document order. */
export function topScores(
  { docs, scores }: Matches,
  limit: number,
): { doc: number; score: number }[] {
  if (limit === 0) return []
  if (typeof scores === 'number' || docs.length === 0)
    return Array.from(docs.subarray(0, limit), (doc) => ({ doc, score: scores as number }))
  const size = Math.min(limit, docs.length)
  // A heap whose root is the worst that is kept: lowest score, and of these the last document.
  const heapDocs = new Int32Array(size)
  const heapScores = new Float32Array(size)
  const isWorse = (a: number, b: number) =>
    heapScores[a]! < heapScores[b]! ||
    (heapScores[a] === heapScores[b] && heapDocs[a]! > heapDocs[b]!)
  const swap = (a: number, b: number) => {
    const doc = heapDocs[a]!
    const score = heapScores[a]!
    heapDocs[a] = heapDocs[b]!
    heapScores[a] = heapScores[b]!
    heapDocs[b] = doc
    heapScores[b] = score
  }
  const sink = (from: number) => {
    for (let at = from; ;) {
      let worst = at
      const left = 2 * at + 1
      if (left < size && isWorse(left, worst)) worst = left
      if (left + 1 < size && isWorse(left + 1, worst)) worst = left + 1
      if (worst === at) return
      swap(at, worst)
      at = worst
    }
  }
  for (let i = 0; i < size; i++) {
    heapDocs[i] = docs[i]!
    heapScores[i] = scores[i]!
  }
  for (let i = (size >> 1) - 1; i >= 0; i--) sink(i)
  let least = heapScores[0]!
  for (let i = size; i < docs.length; i++) {
    // An equal score of a later document never gets in.
    if (scores[i]! <= least) continue
    heapDocs[0] = docs[i]!
    heapScores[0] = scores[i]!
    sink(0)
    least = heapScores[0]!
  }
  return Array.from(heapDocs, (doc, i) => ({ doc, score: heapScores[i]! })).toSorted(
    (a, b) => b.score - a.score || a.doc - b.doc,
  )
}
