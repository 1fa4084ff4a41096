/** Where in a YAML document a position stands, found by indentation so that broken text will do. */
export interface YamlPosition {
  /** Keys and list places from the root down to the mapping or list the position is in. */
  path: (string | number)[]
  /** Key of the line when the position is behind its colon. */
  key?: string
  /** The word the position stands in or behind. */
  word: string
  /** Keys the mapping around the position has already. */
  siblings: string[]
}

interface Line {
  number: number
  indent: number
  /** The line starts a list entry; `indent` is then that of what follows the dash. */
  dashIndent?: number
  key?: string
  text: string
}

const KEY = /^("[^"]*"|'[^']*'|[^\s#'":{}[\],&*!|>%@`][^#:]*?)\s*:(?=\s|$)/

/** Reads the position of a 1-based line and column. */
export function yamlPosition(text: string, lineNumber: number, column: number): YamlPosition {
  const all = text.split('\n')
  const current = all[lineNumber - 1] ?? ''
  const before = current.slice(0, column - 1)
  const here = readLine(current, lineNumber)
  const own = readLine(before, lineNumber)
  const isBehindColon = own?.key !== undefined
  const indent = indentOf(own, before, column)
  const lines = all.flatMap((line, index) => readLine(line, index + 1) ?? [])
  const path = parentsOf(lines, lineNumber, indent, own?.dashIndent)
  return {
    path,
    ...(isBehindColon && own.key !== undefined && { key: own.key }),
    word: /[\w-]*$/.exec(before)?.[0] + (/^[\w-]*/.exec(current.slice(column - 1))?.[0] ?? ''),
    siblings: siblingsOf(lines, lineNumber, here?.indent ?? indent),
  }
}

/** Value of a scalar key beside the position, such as the `use` of the stage around it. */
export function siblingValue(text: string, lineNumber: number, indent: number, key: string) {
  const lines = text.split('\n').flatMap((line, index) => readLine(line, index + 1) ?? [])
  const line = mappingAround(lines, lineNumber, indent).find((one) => one.key === key)
  return line ? /:\s*["']?([^"'#]*?)["']?\s*(?:#.*)?$/.exec(line.text)?.[1] : undefined
}

function readLine(line: string, number: number): Line | undefined {
  const dash = /^(\s*)-(?:\s+|$)/.exec(line)
  const start = dash ? dash[0].length : line.length - line.trimStart().length
  const text = line.slice(start)
  if ((text === '' && !dash) || text.startsWith('#')) return undefined
  const key = KEY.exec(text)?.[1]?.replaceAll(/^["']|["']$/g, '')
  return {
    number,
    indent: start,
    ...(dash && { dashIndent: dash[1]?.length ?? 0 }),
    ...(key !== undefined && { key }),
    text,
  }
}

const indentOf = (own: Line | undefined, before: string, column: number) =>
  own ? own.indent : before.trim() === '' ? column - 1 : before.length

function parentsOf(lines: Line[], lineNumber: number, from: number, ownDash: number | undefined) {
  const path: (string | number)[] = []
  let indent = from
  if (ownDash !== undefined) {
    path.unshift(placeInList(lines, lineNumber, ownDash))
    indent = ownDash
  }
  for (const line of lines.filter(({ number }) => number < lineNumber).toReversed()) {
    if (line.key !== undefined && line.indent < indent) {
      path.unshift(line.key)
      indent = line.indent
    } else if (
      // A list may stand at its key's own indentation.
      line.key !== undefined &&
      line.indent === indent &&
      line.dashIndent === undefined &&
      typeof path[0] === 'number' &&
      /:\s*(?:#.*)?$/.test(line.text)
    ) {
      path.unshift(line.key)
      indent = line.indent
    }
    if (line.dashIndent !== undefined && line.dashIndent < indent && line.indent >= indent) {
      path.unshift(placeInList(lines, line.number, line.dashIndent))
      indent = line.dashIndent
    } else if (line.dashIndent !== undefined && line.indent === indent && line.key === path[0]) {
      path.unshift(placeInList(lines, line.number, line.dashIndent))
      indent = line.dashIndent
    }
  }
  return path
}

function placeInList(lines: Line[], lineNumber: number, dashIndent: number) {
  let place = 0
  for (const line of lines.filter(({ number }) => number < lineNumber).toReversed()) {
    if (line.dashIndent === dashIndent) place++
    else if ((line.dashIndent ?? line.indent) < dashIndent) break
    else if (line.dashIndent === undefined && line.indent === dashIndent) break
  }
  return place
}

/** Lines of the mapping whose keys stand at `indent`, around a line. */
function mappingAround(lines: Line[], lineNumber: number, indent: number) {
  const isInside = (line: Line) => line.indent >= indent && (line.dashIndent ?? indent) >= indent
  const startsEntry = (line: Line) => line.dashIndent !== undefined && line.indent === indent
  const above: Line[] = []
  const current = lines.find(({ number }) => number === lineNumber)
  if (!current || !startsEntry(current))
    for (const line of lines.filter(({ number }) => number < lineNumber).toReversed()) {
      if (startsEntry(line)) {
        above.push(line)
        break
      }
      if (!isInside(line)) break
      above.push(line)
    }
  const below: Line[] = []
  for (const line of lines.filter(({ number }) => number > lineNumber)) {
    if (!isInside(line)) break
    below.push(line)
  }
  return [...above, ...(current ? [current] : []), ...below].filter(
    (line) => line.indent === indent,
  )
}

const siblingsOf = (lines: Line[], lineNumber: number, indent: number) =>
  mappingAround(lines, lineNumber, indent)
    .filter(({ number }) => number !== lineNumber)
    .flatMap(({ key }) => key ?? [])
