import { Document, isCollection, isMap, isPair, isScalar, isSeq, type Scalar, visit } from 'yaml'

/** How a file is written, so that what is added looks like the rest. */
export interface FileStyle {
  readonly isJson: boolean
  /** A JSON text on one line stays on one line. */
  readonly isOneLine: boolean
  readonly eol: '\n' | '\r\n'
  /** One step of indentation. */
  readonly indent: string
  /** Whether dashes stand deeper than the key of their list. */
  readonly indentsLists: boolean
  readonly singleQuotes: boolean
  /** Whether short lists of scalars are written in brackets, on one line. */
  readonly shortListsInBrackets: boolean
}

/** Longer lists of scalars are written one entry a line. */
const SHORT_LIST = 60

/** Reads the style of a file from its text. */
export function styleOf(doc: Document, text: string, isJson: boolean): FileStyle {
  const steps: string[] = []
  const lists = { deeper: 0, level: 0, inBrackets: 0, long: 0 }
  const quotes = { single: 0, double: 0 }
  const indentAt = (offset: number) =>
    /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? ''
  visit(doc, {
    Scalar(_key, { type }) {
      if (type === 'QUOTE_SINGLE') quotes.single++
      else if (type === 'QUOTE_DOUBLE') quotes.double++
    },
    Pair(_key, { key, value }) {
      if (!isScalar(key) || !key.range || !isCollection(value) || !value.range) return
      const outer = indentAt(key.range[0])
      const inner = indentAt(value.range[0])
      const isBlock = value.flow !== true
      if (isMap(value) && isBlock && inner.length > outer.length)
        steps.push(inner.slice(outer.length))
      if (!isSeq(value) || value.items.length === 0) return
      if (isBlock) lists[inner.length > outer.length ? 'deeper' : 'level']++
      if (!value.items.every((item) => isScalar(item))) return
      const isLong = text.slice(value.range[0], value.range[1]).includes('\n')
      lists[isBlock || isLong ? 'long' : 'inBrackets']++
    },
  })
  const jsonStep = /\n([ \t]+)/.exec(text)?.[1]
  return {
    isJson,
    isOneLine: isJson && !text.trim().includes('\n'),
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    indent: (isJson ? jsonStep : steps[0]) ?? '  ',
    indentsLists: lists.deeper >= lists.level,
    singleQuotes: quotes.single > quotes.double,
    shortListsInBrackets: lists.inBrackets > 0 ? lists.inBrackets >= lists.long : lists.long === 0,
  }
}

/** A value in brackets or a scalar, as it stands in JSON or in a flow collection. */
export function printInline(value: unknown, style: FileStyle, indent: string): string {
  if (!style.isJson) {
    const doc = new Document([value])
    return printed(doc, style, 'flow').slice(1, -1)
  }
  if (style.isOneLine) return JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
  const lines = JSON.stringify(value, null, style.indent)
  return (style.shortListsInBrackets ? joinShortLists(lines) : lines).replaceAll(
    '\n',
    style.eol + indent,
  )
}

/** A key as it stands before its colon. */
export const printKey = (key: string, style: FileStyle) =>
  style.isJson
    ? JSON.stringify(key)
    : printed(new Document({ [key]: 1 }), style).replace(/: 1$/, '')

/** A whole text with nothing else in it. */
export const printRoot = (value: unknown, style: FileStyle) =>
  style.isJson
    ? printInline(value, style, '')
    : printed(toDocument(value, style, undefined), style).replaceAll('\n', style.eol)

/** What stands behind a colon, from the blank on; further lines are indented below `indent`. */
export function printBehindColon(value: unknown, style: FileStyle, like: unknown, indent: string) {
  const text = printed(toDocument({ k: value }, style, like), style)
  return indentLines(text.slice('k:'.length), style, indent)
}

/** What stands behind a dash at the column of `indent`, from the blank on. */
export function printBehindDash(value: unknown, style: FileStyle, like: unknown, indent: string) {
  const text = printed(toDocument([value], style, like), style)
  return indentLines(text.slice('-'.length), style, indent)
}

/** Quotes of a text stay those of the text it takes the place of. */
function toDocument(value: unknown, style: FileStyle, like: unknown) {
  const doc = new Document(value)
  visit(doc, {
    Seq(_key, list) {
      const isShort = list !== doc.contents && list.items.every((item) => isScalar(item))
      if (!style.shortListsInBrackets || !isShort) return
      const { items } = list
      const texts = items.map((item) => String((item as Scalar).value)) // Safe: all are scalars
      list.flow = texts.join(', ').length <= SHORT_LIST && !texts.some((one) => one.includes('\n'))
    },
  })
  const only = isCollection(doc.contents) ? doc.contents.items[0] : undefined
  const scalar = isPair(only) ? only.value : only
  if (isScalar(scalar) && typeof scalar.value === 'string' && isScalar(like)) {
    const isQuoted = like.type === 'QUOTE_SINGLE' || like.type === 'QUOTE_DOUBLE'
    if (isQuoted && !scalar.value.includes('\n')) scalar.type = like.type
  }
  return doc
}

const printed = (doc: Document, style: FileStyle, collectionStyle: 'any' | 'flow' = 'any') =>
  doc
    .toString({
      lineWidth: 0,
      indent: style.indent.length,
      indentSeq: style.indentsLists,
      singleQuote: style.singleQuotes || null,
      collectionStyle,
      flowCollectionPadding: false,
    })
    .replace(/\n$/, '')

const indentLines = (text: string, { eol }: FileStyle, indent: string) =>
  text.replaceAll(/\n(?=(.?))/g, (_break, next: string) =>
    next === '' || next === '\n' ? eol : eol + indent,
  )

/** `JSON.stringify` breaks every list; those of a few scalars read better on one line. */
const joinShortLists = (json: string) =>
  json.replaceAll(/\[\n\s*([^[\]{}\n]*(?:\n[^[\]{}\n]*)*?)\n\s*\]/g, (list, items: string) => {
    const joined = items.replaceAll(/\n\s*/g, ' ')
    return joined.length <= SHORT_LIST ? `[${joined}]` : list
  })
