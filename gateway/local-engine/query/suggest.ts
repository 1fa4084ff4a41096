/** Names that are less like the wrong one are not suggested: 0 is nothing in common, 1 the same. */
const LEAST_LIKENESS = 0.5

/** How an error about an unknown name ends: the known names that are like it, the nearest first. */
export function suggest(name: string, known: readonly string[]): string {
  const alike = known
    .map((one) => ({ one, likeness: likeness(name, one) }))
    .filter(({ likeness }) => likeness > LEAST_LIKENESS)
    .toSorted((a, b) => b.likeness - a.likeness || (a.one < b.one ? -1 : 1))
    .map(({ one }) => one)
  if (alike.length === 0) return ''
  return ` did you mean ${alike.length === 1 ? `[${alike[0]}]` : `any of [${alike.join(', ')}]`}?`
}

/** One less the edits per letter of the longer text, in the precision the engine compares with. */
const likeness = (a: string, b: string) =>
  Math.fround(1 - Math.fround(editDistance(a, b) / Math.max(a.length, b.length)))

/** How many letters have to be put in, left out or exchanged. */
export function editDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++)
      row.push(
        Math.min(row[j - 1]! + 1, before[j]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      )
    before = row
  }
  return before[b.length]!
}
