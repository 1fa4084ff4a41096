import { stemmer } from 'stemmer'
import type { Scan } from './emit.ts'

/** Lower case code point by code point: `İ` is `i`, and a final `Σ` is `σ`, as Lucene has them. */
export const lowerCase = (text: string) =>
  text.replaceAll('\u0130', 'i').replaceAll('\u03A3', '\u03C3').toLowerCase()

/** Lower-cases what a tokenizer gives. Text of plain ASCII is done as a whole, which is faster. */
export const lowerTokens = (scan: Scan): Scan => {
  const each = mapTokens(scan, lowerCase)
  return (text, emit) => (isAscii(text) ? scan(text.toLowerCase(), emit) : each(text, emit))
}

// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const isAscii = (text: string) => /^[\x00-\x7F]*$/.test(text)

/** The English stop words of Lucene. */
export const ENGLISH_STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by for if in into is it no not of on or such that the their ' +
    'then there these they this to was will with'
  ).split(' '),
)

/** Drops a final `'s`, whatever the apostrophe. */
export const dropPossessive = (text: string) =>
  /['\u2019\uFF07][sS]$/.test(text) ? text.slice(0, -2) : text

/** Porter's stem. Words shorter than three characters are left alone. */
export const porterStem = (text: string) =>
  text.length < 3 ? text : text === 'ies' ? 'i' : stemmer(text)

/** Changes the text of every token. */
export const mapTokens =
  (scan: Scan, change: (text: string) => string): Scan =>
  (text, emit) =>
    scan(text, (token, start, end, position) => emit(change(token), start, end, position))

/** Removes words; they leave a gap in the positions. */
export const withoutWords =
  (scan: Scan, words: ReadonlySet<string>): Scan =>
  (text, emit) =>
    scan(text, (token, start, end, position) => {
      if (!words.has(token)) emit(token, start, end, position)
    })
