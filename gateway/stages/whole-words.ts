/**
 * A function that replaces words where they stand alone, in any case. All words are looked for at
 * once, so a replacement is never replaced again; of two that begin alike the longer wins.
 */
export function replaceWholeWords(replacements: ReadonlyMap<string, string>) {
  const byWord = new Map(
    [...replacements].flatMap(([from, to]) => (from.trim() ? [[from.toLowerCase(), to]] : [])),
  )
  if (byWord.size === 0) return (text: string) => text
  const longestFirst = [...byWord.keys()].toSorted((a, b) => b.length - a.length)
  const anyWord = longestFirst.map((word) => RegExp.escape(word)).join('|')
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${anyWord})(?![\\p{L}\\p{N}_])`, 'giu')
  return (text: string) => text.replace(pattern, (word) => byWord.get(word.toLowerCase()) ?? word)
}
