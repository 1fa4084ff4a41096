/** The known name a mistyped one was probably meant to be; nothing when none is close. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: { name: string; distance: number } | undefined
  for (const one of known) {
    const distance = distanceOf(name.toLowerCase(), one.toLowerCase())
    const allowed = Math.max(1, Math.floor(Math.max(name.length, one.length) / 3))
    if (distance <= allowed && (!best || distance < best.distance)) best = { name: one, distance }
  }
  return best?.name
}

/** `, did you mean "x"?`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known)
  return nearest ? `; did you mean "${nearest}"?` : ''
}

/** Levenshtein's distance, where two letters that changed places count as one mistake. */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 12) return Infinity
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next[j] = Math.min(
        (next[j - 1] ?? 0) + 1,
        (row[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1]),
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
      )
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
