import { termText } from '../segment/dictionary.ts'
import type { Segment } from '../segment/segment.ts'

/** A distinct value of a field: text for keywords and booleans, else a number. */
export type Key = string | number | bigint

/** Numbers the distinct values of a field over all segments and indices. */
export interface KeyNumbers {
  readonly keys: readonly Key[]
  numberOf(key: Key): number
  /** Visits the numbers of a document's distinct values; none when it has none. */
  open(segment: Segment, field: string): (doc: number, visit: (number: number) => void) => void
  /** Gives every value of the segment a number, whether a document asks for it or not. */
  addAll(segment: Segment, field: string): void
}

/** Starts with no values. */
export function createKeyNumbers(): KeyNumbers {
  const keys: Key[] = []
  const numbers = new Map<Key, number>()
  const numberOf = (key: Key) => {
    let number = numbers.get(key)
    if (number === undefined) {
      number = keys.length
      numbers.set(key, number)
      keys.push(key)
    }
    return number
  }
  // One block of documents follows another in the same segment: its ordinals are looked up once.
  const ordinals = new WeakMap<Segment, Int32Array>()

  return {
    keys,
    numberOf,
    open(segment, field) {
      const column = segment.columns.get(field)
      if (!column || column.kind === 'text') return () => {}
      if (column.kind === 'numeric') {
        const { start, values } = column
        return (doc, visit) => {
          for (let i = start[doc]!; i < start[doc + 1]!; i++)
            if (i === start[doc] || values[i] !== values[i - 1]) visit(numberOf(exact(values[i]!)))
        }
      }
      const { ordStart, ords, terms } = column
      let known = ordinals.get(segment)
      if (!known) ordinals.set(segment, (known = new Int32Array(terms.count).fill(-1)))
      const table = known
      return (doc, visit) => {
        for (let i = ordStart[doc]!; i < ordStart[doc + 1]!; i++) {
          const ordinal = ords[i]!
          let number = table[ordinal]!
          if (number < 0) table[ordinal] = number = numberOf(termText(terms, ordinal))
          visit(number)
        }
      }
    },
    addAll(segment, field) {
      const column = segment.columns.get(field)
      if (column?.kind === 'keyword')
        for (let i = 0; i < column.terms.count; i++) numberOf(termText(column.terms, i))
      else if (column?.kind === 'numeric') for (const value of column.values) numberOf(exact(value))
    },
  }
}

/** Whole numbers that fit a double are one key, whichever kind of column they come from. */
const exact = (value: number | bigint): number | bigint =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
