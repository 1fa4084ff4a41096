import type { PhrasePosition } from '../node.ts'
import type { Occurrences } from './phrase.ts'

const { fround } = Math

/**
 * The frequency of a phrase whose words may be moved: the sum of 1 / (1 + length) over the places
 * it is found at, each rounded to 32 bits, in the order of Lucene's sloppy matcher.
 */
export function createSloppyFrequency(positions: readonly PhrasePosition[], slop: number) {
  const size = positions.length
  const offsets = positions.map(({ offset }) => offset)
  /** Words that share a term must not stand on the same position. */
  const repeats = positions.map(({ terms }, i) =>
    positions.flatMap((other, j) =>
      i !== j && other.terms.some((term) => terms.includes(term)) ? [j] : [],
    ),
  )
  const at = new Int32Array(size)
  let words: readonly Occurrences[] = []

  const place = (word: number) => words[word]!.values[at[word]!]!
  const isBefore = (a: number, b: number) =>
    place(a) < place(b) || (place(a) === place(b) && offsets[a]! < offsets[b]!)
  const advance = (word: number) => ++at[word]! < words[word]!.count

  /** Moves repeated words off each other; false when one has no occurrence left. */
  function settle(word: number): boolean {
    let current = word
    for (;;) {
      const position = place(current) + offsets[current]!
      const other = repeats[current]!.find((one) => position === place(one) + offsets[one]!)
      if (other === undefined) return true
      if (isBefore(other, current)) current = other
      if (!advance(current)) return false
    }
  }

  function leastWord(): number {
    let least = 0
    for (let word = 1; word < size; word++) if (isBefore(word, least)) least = word
    return least
  }

  function nextPlace(least: number): number {
    let next = Number.POSITIVE_INFINITY
    for (let word = 0; word < size; word++)
      if (word !== least && place(word) < next) next = place(word)
    return next
  }

  return (occurrences: readonly Occurrences[]): number => {
    words = occurrences
    at.fill(0)
    for (let word = 0; word < size; word++) if (!settle(word)) return 0
    let end = Number.NEGATIVE_INFINITY
    for (let word = 0; word < size; word++) end = Math.max(end, place(word))
    let least = leastWord()
    let length = end - place(least)
    let next = nextPlace(least)
    let frequency = 0
    const add = () => {
      if (length <= slop) frequency = fround(frequency + fround(1 / fround(1 + length)))
    }
    while (advance(least) && settle(least)) {
      for (let word = 0; word < size; word++) end = Math.max(end, place(word))
      if (place(least) > next) {
        add()
        least = leastWord()
        length = end - place(least)
        next = nextPlace(least)
      } else length = Math.min(length, end - place(least))
    }
    add()
    return frequency
  }
}
