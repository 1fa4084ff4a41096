import { MAX_TOKEN_LENGTH, type Emit } from './emit.ts'

// Word boundaries of UAX #29 as Lucene's standard tokenizer applies them.
// Marks and format characters stick to what precedes them.
const EXT = '[[\\p{M}\\p{Cf}]--[\\u200B\\u{E0020}-\\u{E007F}]]*'
// Scripts written without spaces: one token a run.
const DICT = '\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Mymr}\\p{sc=Khmr}'
const LETTER = `[[\\p{Alphabetic}]--[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}${DICT}]--[\\p{M}]--[\\u30FC]]`
const HEBREW = '[\\p{sc=Hebr}&&\\p{Lo}]'
const KANA = '[[\\p{sc=Kana}\\u30FC]--[\\p{M}]]'
// The Arabic decimal separator counts as a digit.
const DIGIT = '[\\p{Nd}\\u066B]'
const JOIN = '[_\\u202F\\u203F\\u2040\\u2054\\uFE33\\uFE34\\uFE4D-\\uFE4F\\uFF3F]'
const MID_LETTER =
  "[:\\u00B7\\u0387\\u055F\\u05F4\\u2027\\uFE13\\uFE55\\uFF1A.'\\u2018\\u2019\\u2024\\uFE52\\uFF07\\uFF0E]"
const MID_NUMBER =
  "[,;\\u037E\\u0589\\u060C\\u060D\\u066C\\u07F8\\u2044\\uFE10\\uFE14\\uFE50\\uFE54\\uFF0C\\uFF1B.'\\u2018\\u2019\\u2024\\uFE52\\uFF07\\uFF0E]"
const SKIN = '\\u{1F3FB}-\\u{1F3FF}'
const PICTURE = `(?:\\p{Emoji_Modifier_Base}[${SKIN}]|\\p{Extended_Pictographic}\\uFE0F?\\u20E3?(?:[\\u{E0020}-\\u{E007F}])*)`
const EMOJI = `(?:\\p{RI}${EXT}\\p{RI}${EXT}|[#*]\\uFE0F?\\u20E3|\\u200D?${PICTURE}(?:\\u200D${PICTURE})*${EXT}|[${SKIN}])`
const LETTERS =
  `(?:${HEBREW}${EXT}(?:"${EXT}(?=${HEBREW})|${MID_LETTER}${EXT}(?=${LETTER})|'${EXT})?` +
  `|${LETTER}${EXT}(?:${MID_LETTER}${EXT}(?=${LETTER}))?` +
  `|${DIGIT}${EXT}(?:${MID_NUMBER}${EXT}(?=${DIGIT}))?)+`
const KATAKANA = `(?:${KANA}${EXT})+`
const WORD = new RegExp(
  [
    EMOJI,
    // Every ideograph and every hiragana character is a token.
    `\\p{sc=Han}${EXT}`,
    `\\p{sc=Hira}${EXT}`,
    `(?:[[${DICT}]&&[\\p{L}\\p{M}]]${EXT})+`,
    // Katakana joins letters and digits only through an underscore.
    `(?:${JOIN}${EXT})*(?:${LETTERS}|${KATAKANA})(?:(?:${JOIN}${EXT})+(?:${LETTERS}|${KATAKANA}))*(?:${JOIN}${EXT})*`,
  ].join('|'),
  'vg',
)

const OTHER = 0
const LETTER_CLASS = 1
const DIGIT_CLASS = 2
const UNDERSCORE = 3
const CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (/[a-z]/i.test(char)) return LETTER_CLASS
  if (/\d/.test(char)) return DIGIT_CLASS
  return char === '_' ? UNDERSCORE : OTHER
})
/** Which class a character joins when it stands between two of it: bit 1 letters, bit 2 digits. */
const JOINS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  return (":.'".includes(char) ? LETTER_CLASS : 0) | (",;.'".includes(char) ? DIGIT_CLASS : 0)
})

/** Emits the tokens as they stand in the text; the number of positions is that of the tokens. */
export function standardTokens(text: string, emit: Emit): number {
  let position = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code < 128 && CLASS[code] === OTHER) {
      at++
      continue
    }
    let start = at
    let end = code < 128 ? asciiWordEnd(text, at) : -1
    if (end < 0) {
      const before = at > 0 ? text.charCodeAt(at - 1) : 0
      // `#` and `*` begin a token only as keycaps, whose marks are beyond ASCII.
      WORD.lastIndex = code >= 128 && (before === 0x23 || before === 0x2a) ? at - 1 : at
      const match = WORD.exec(text)
      if (!match) return position
      start = match.index
      end = start + match[0].length
    } else if (code === 0x5f && /^_+$/.test(text.slice(start, end))) {
      at = end
      continue
    }
    end = Math.min(end, start + MAX_TOKEN_LENGTH)
    emit(text.slice(start, end), start, end, position++)
    at = end
  }
  return position
}

/** Where the word ends that begins at `start`; −1 when the fast path cannot tell. */
function asciiWordEnd(text: string, start: number): number {
  let previous = OTHER
  let at = start
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 128) return -1
    const kind = CLASS[code] as number
    if (kind !== OTHER) {
      previous = kind
      continue
    }
    const joins = JOINS[code] as number
    if (joins === 0 || previous === UNDERSCORE || (joins & previous) === 0) return at
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : 0
    if (next >= 128) return -1
    if (CLASS[next] !== previous) return at
  }
  return at
}

/** The type `_analyze` shows for a token of the standard tokenizer, from its text as it stood. */
export function standardType(text: string): string {
  for (const [type, pattern] of TYPES) if (pattern.test(text)) return type
  return '<NUM>'
}

const TYPES: readonly (readonly [string, RegExp])[] = [
  ['<EMOJI>', new RegExp(`^(?:${EMOJI}|[0-9]\\uFE0F?\\u20E3)`, 'v')],
  ['<IDEOGRAPHIC>', /^\p{sc=Han}/v],
  ['<HIRAGANA>', /^\p{sc=Hira}/v],
  ['<SOUTHEAST_ASIAN>', new RegExp(`^[${DICT}]`, 'v')],
  ['<KATAKANA>', new RegExp(`^(?:${KANA}${EXT})+$`, 'v')],
  ['<HANGUL>', new RegExp(`^(?:\\p{sc=Hang}${EXT})+$`, 'v')],
  ['<ALPHANUM>', /\p{Alphabetic}/v],
]
