/**
 * Writes the total time over `settings.took` of a declarative answer, touching nothing else of the
 * text, so that every digit of it survives. A text without that number comes back as it is.
 */
export function replaceTook(body: string, tookMs: number): string {
  const settings = findKey(body, afterBlanks(body, 0), 'settings')
  if (settings < 0 || !/^\s*\{/.test(body) || body[settings] !== '{') return body
  const took = findKey(body, settings, 'took')
  const number = took < 0 ? undefined : numberAt(body, took)
  return number === undefined
    ? body
    : body.slice(0, took) + Math.round(tookMs) + body.slice(took + number.length)
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const numberAt = (text: string, at: number) => {
  NUMBER.lastIndex = at
  return NUMBER.exec(text)?.[0]
}

const QUOTE = 34
const BACKSLASH = 92
const isBlank = (code: number) => code === 32 || (code >= 9 && code <= 13)

/** Where the value of an object's own key begins; `open` is the object's bracket. -1 without one. */
function findKey(text: string, open: number, key: string): number {
  if (open < 0) return -1
  // The text of a key cannot occur inside a string: there its quotes would be escaped.
  const wanted = `"${key}"`
  let depth = 0
  let seen = open
  for (let at = text.indexOf(wanted, open); at >= 0; at = text.indexOf(wanted, at + 1)) {
    for (; seen < at; seen++) {
      const code = text.charCodeAt(seen)
      if (code === QUOTE) seen = endOfString(text, seen)
      else if (code === 123 || code === 91) depth++
      else if ((code === 125 || code === 93) && --depth === 0) return -1
    }
    const colon = afterBlanks(text, at + wanted.length)
    if (depth === 1 && seen === at && text[colon] === ':') return afterBlanks(text, colon + 1)
  }
  return -1
}

function afterBlanks(text: string, at: number): number {
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
  return text.length
}
