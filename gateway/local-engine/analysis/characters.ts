import { MAX_TOKEN_LENGTH, type Scan } from './emit.ts'

const runsOf =
  (run: RegExp): Scan =>
  (text, emit) => {
    let position = 0
    for (const match of text.matchAll(run)) {
      const runEnd = match.index + match[0].length
      for (let start = match.index; start < runEnd; start += MAX_TOKEN_LENGTH) {
        const end = Math.min(start + MAX_TOKEN_LENGTH, runEnd)
        emit(text.slice(start, end), start, end, position++)
      }
    }
    return position
  }

/** Runs of letters. */
export const letterTokens = runsOf(/\p{L}+/gu)

/** Runs of anything but white space as Java knows it: no-break spaces do not divide. */
export const whitespaceTokens = runsOf(
  // oxlint-disable-next-line no-control-regex -- Java counts four control characters as white space
  /(?:[\u00A0\u2007\u202F]|[^\t-\r\u001C-\u001F\p{Zs}\p{Zl}\p{Zp}])+/gu,
)

/** The whole value as one token. */
export const keywordToken: Scan = (text, emit) => {
  emit(text, 0, text.length, 0)
  return 1
}
