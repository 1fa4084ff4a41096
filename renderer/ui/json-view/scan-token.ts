/** Where a token ends, or where and why it is broken. Offsets count UTF-16 units. */
export type Scanned = { end: number } | { at: number; problem: string }

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const HEX = /[0-9a-fA-F]{4}/y

/** Scans the string that opens at `from`; escapes are checked, not decoded. */
export function scanString(text: string, from: number): Scanned {
  for (let at = from + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) return { end: at + 1 }
    if (unit < 0x20) return { at, problem: 'a control character inside a string must be escaped' }
    if (unit !== 0x5c) continue
    at++
    const escape = text[at] ?? ''
    if (escape === 'u') {
      HEX.lastIndex = at + 1
      if (!HEX.test(text)) return { at, problem: '\\u must be followed by four hex digits' }
      at += 4
    } else if (escape === '' || !'"\\/bfnrt'.includes(escape)) {
      return { at: at - 1, problem: `\\${escape} is not an escape of JSON` }
    }
  }
  return { at: from, problem: 'this string is never closed' }
}

/** Scans a number; a digit or letter right behind it is part of the mistake. */
export function scanNumber(text: string, from: number): Scanned {
  NUMBER.lastIndex = from
  const end = NUMBER.test(text) ? NUMBER.lastIndex : from
  if (end > from && !/[\w.+-]/.test(text[end] ?? '')) return { end }
  return { at: from, problem: 'this is no number that JSON allows' }
}

/** Scans `true`, `false` or `null`. */
export function scanWord(text: string, from: number): Scanned {
  WORD.lastIndex = from
  const end = WORD.test(text) ? WORD.lastIndex : from
  if (end > from && !/\w/.test(text[end] ?? '')) return { end }
  return { at: from, problem: 'a value was expected here' }
}
