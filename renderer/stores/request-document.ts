/** One request of a request document. Lines are 1-based, `endLine` inclusive. */
export interface RequestBlock {
  /** Text behind `###`, or method and path. */
  name: string
  startLine: number
  endLine: number
  /** Where method and path stand; Send is shown there. */
  methodLine: number
  method: string
  path: string
  headers: [string, string][]
  body: string
  /** First line of the body; past `endLine` when there is none. */
  bodyLine: number
  /** From `// @expect status 200`. */
  expectStatus?: number
}

/** A line that is neither method, header, comment nor body. */
export interface RequestProblem {
  line: number
  message: string
}

/** What a text holds. */
export interface RequestDocument {
  blocks: RequestBlock[]
  problems: RequestProblem[]
}

const SEPARATOR = /^###\s*(.*)$/
const METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+(\S+)\s*$/
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/
const COMMENT = /^\s*(?:\/\/|#)/
const EXPECT = /@expect\s+status\s+(\d{3})\b/
const LINES_OF_JSON = /\/_(bulk|msearch)\b/

/**
 * Splits Kibana-style text into its requests. A request starts at a `###` line or at a line with a
 * method; headers stand directly below, everything after them is the body, comments left out.
 */
export function parseRequestDocument(text: string): RequestDocument {
  if (text !== last?.text) last = { text, document: parse(text) }
  return last.document
}

// Toolbar, folding, Send marks and checks ask for the same text after every key.
let last: { text: string; document: RequestDocument } | undefined

function parse(text: string): RequestDocument {
  const blocks: RequestBlock[] = []
  const problems: RequestProblem[] = []
  const lines = text.split(/\r\n|\n|\r/)
  let separator: { name: string; line: number } | undefined
  let block: (RequestBlock & { bodyLines: string[]; isInHeaders: boolean }) | undefined

  const finish = (endLine: number) => {
    if (!block) return
    const { bodyLines, isInHeaders: _, ...rest } = block
    blocks.push({ ...rest, endLine, body: toBody(bodyLines, rest.path) })
    block = undefined
  }

  for (const [index, line] of lines.entries()) {
    const number = index + 1
    const named = SEPARATOR.exec(line)
    const request = METHOD.exec(line)
    if (named) {
      finish(index)
      separator = { name: named[1]?.trim() ?? '', line: number }
    } else if (request) {
      finish(index)
      const [, method = '', path = ''] = request
      block = {
        name: separator?.name || `${method} ${path}`,
        startLine: separator?.line ?? number,
        endLine: number,
        methodLine: number,
        method,
        path: path.startsWith('/') ? path : `/${path}`,
        headers: [],
        body: '',
        bodyLine: number + 1,
        bodyLines: [],
        isInHeaders: true,
      }
      separator = undefined
    } else if (COMMENT.test(line)) {
      const status = EXPECT.exec(line)?.[1]
      if (block && status) block.expectStatus = Number(status)
    } else if (!block) {
      if (line.trim() !== '')
        problems.push({
          line: number,
          message: `"${cut(line)}" stands before a request; start with a line such as "GET /movies/_search"`,
        })
    } else {
      readLine(block, line, number, problems)
    }
  }
  finish(lines.length)
  return { blocks, problems }
}

/** The request a cursor line belongs to: the block around it, else the next one, else the last one. */
export const blockAt = (blocks: readonly RequestBlock[], line: number) =>
  blocks.find(({ startLine, endLine }) => line >= startLine && line <= endLine) ??
  blocks.find(({ startLine }) => startLine > line) ??
  blocks[blocks.length - 1]

/** Headers as they are sent: a body gets a content type when the document names none. */
export function headersToSend({ headers, body, path }: RequestBlock): [string, string][] {
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type')
  if (body === '' || hasType) return headers
  const type = LINES_OF_JSON.test(path) ? 'application/x-ndjson' : 'application/json'
  return [...headers, ['content-type', type]]
}

function readLine(
  block: RequestBlock & { bodyLines: string[]; isInHeaders: boolean },
  line: string,
  number: number,
  problems: RequestProblem[],
) {
  const header = block.isInHeaders ? HEADER.exec(line) : null
  if (header) {
    block.headers.push([header[1] ?? '', header[2]?.trim() ?? ''])
    return
  }
  if (line.trim() === '' && block.bodyLines.length === 0) {
    block.isInHeaders = false
    return
  }
  if (block.isInHeaders && !/^\s*[[{"]/.test(line))
    problems.push({
      line: number,
      message: `"${cut(line)}" is no header; write "Name: value", or leave a blank line before the body`,
    })
  block.isInHeaders = false
  if (block.bodyLines.length === 0) block.bodyLine = number
  block.bodyLines.push(line)
}

function toBody(lines: string[], path: string) {
  const body = lines.join('\n').trimEnd()
  // The bulk format wants a line feed after its last line.
  return body !== '' && LINES_OF_JSON.test(path) ? `${body}\n` : body
}

const cut = (line: string) => (line.length > 40 ? `${line.slice(0, 40).trim()}…` : line.trim())
