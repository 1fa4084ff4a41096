import { isMap, isScalar, isSeq, parseDocument, type Scalar } from 'yaml'
import { isRaw, listOf } from './raw.ts'

/** What stands in a pipeline's text where a value of `global_envs` is kept elsewhere (decisions.md 32). */
export const SEALED = '••••'

/** A text whose secrets were taken out. */
export interface SealedText {
  /** Byte for byte the same but for the values. */
  text: string
  /** Keys whose value comes through an anchor or a merge, so that it stands elsewhere in the text. */
  unsealable: string[]
}

/** A text without any of these has no `global_envs`; a quoted key may be written with escapes. */
const MAY_HAVE_VALUES = /global_envs|\\(?:[xuU]|\r?\n)/
/** An alias or a merge, by which a value may come from elsewhere in the text. */
const MAY_COME_FROM_ELSEWHERE = /\*|<</

/**
 * Replaces every value in `global_envs` by dots, so that the text can be stored and shown. Values
 * that are only named, as `${{NAME}}`, stay. A text that cannot be read is given back as it is.
 */
export function sealEnvValues(text: string): SealedText {
  if (!MAY_HAVE_VALUES.test(text)) return { text, unsealable: [] }
  const found = literalsIn(text)
  let sealed = text
  // From the end, so that the places before stay right.
  for (const { range } of found.toSorted((a, b) => (b.range?.[0] ?? 0) - (a.range?.[0] ?? 0))) {
    if (!range) continue
    const [start, end] = range
    const written = text.slice(start, end)
    // A block of lines ends with its line break.
    const rest = written.slice(written.trimEnd().length)
    sealed = `${sealed.slice(0, start)}"${SEALED}"${rest}${sealed.slice(end)}`
  }
  return { text: sealed, unsealable: MAY_COME_FROM_ELSEWHERE.test(sealed) ? stillOpen(sealed) : [] }
}

/** Whether a value is the secret itself. */
const isLiteral = (value: unknown) =>
  value !== SEALED && value !== null && !(typeof value === 'string' && /\$\{\{.+\}\}/.test(value))

function literalsIn(text: string): Scalar[] {
  const root = parse(text)?.contents
  const list = isMap(root) ? root.get('global_envs', true) : undefined
  return (isSeq(list) ? list.items : []).flatMap((entry) => {
    const value = isMap(entry) ? entry.get('value', true) : undefined
    return isScalar(value) && isLiteral(value.value) ? value : []
  })
}

/** Keys that still have a value when anchors and merges are followed. */
function stillOpen(text: string): string[] {
  const document = parse(text)
  const value: unknown = document?.errors.length === 0 ? document.toJS() : undefined
  return listOf(isRaw(value) ? value['global_envs'] : []).flatMap((entry) =>
    isRaw(entry) && entry['value'] !== undefined && isLiteral(entry['value'])
      ? String(entry['key'])
      : [],
  )
}

/** The document, as far as its text can be read. */
function parse(text: string) {
  try {
    return parseDocument(text, { merge: true, logLevel: 'silent' })
  } catch {
    // Thousands of brackets overflow the parser's stack.
    return undefined
  }
}
