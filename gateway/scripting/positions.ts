import type { SourcePosition } from '../errors.ts'
import { REALM_FILE } from './realm/file-name.ts'
import type { ScriptSource } from './sandbox.ts'

/** A stack trace of the isolate in positions of the user's files; frames of ours are left out. */
export interface UserStack {
  /** Innermost first: `handleRequest (scripts/price.js:3:9)`. */
  frames: string[]
  /** Where the innermost frame stands. */
  source?: SourcePosition
}

/** Lines and columns of the isolate are those of the text; an inline script stands indented. */
export function readStack(stack: string | undefined, scripts: readonly ScriptSource[]): UserStack {
  const frames: string[] = []
  let source: SourcePosition | undefined
  for (const line of stack?.split('\n') ?? []) {
    const frame = readFrame(line, scripts)
    if (!frame) continue
    source ??= frame.position
    const { file, line: row, column } = frame.position
    frames.push(`${frame.name} (${file}:${row}:${column})`)
  }
  return source ? { frames, source } : { frames }
}

/** The same inside a text, such as a logged error: our frames go, the user's are put right. */
export function cleanStackText(text: string, scripts: readonly ScriptSource[]): string {
  if (!text.includes('\n    at ')) return text
  const lines: string[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('    at ') && line.includes(REALM_FILE)) continue
    const frame = readFrame(line, scripts)
    if (!frame) {
      lines.push(line)
      continue
    }
    const { file, line: row, column } = frame.position
    lines.push(`    at ${frame.name} (${file}:${row}:${column})`)
  }
  return lines.join('\n')
}

function readFrame(line: string, scripts: readonly ScriptSource[]) {
  const place = /:(\d+):(\d+)\)?$/.exec(line)
  if (!place || !/^\s+at /.test(line)) return undefined
  const row = Number(place[1])
  const head = line.slice(0, place.index)
  const script = scripts.find(
    ({ file, line, text }) =>
      head.endsWith(file) &&
      ' ('.includes(head.at(-file.length - 1) ?? '') &&
      row >= line &&
      row < line + text.split('\n').length,
  )
  if (!script) return undefined
  const name = head
    .slice(0, -script.file.length)
    .replace(/^\s+at /, '')
    .replace(/ ?\($/, '')
    .trim()
  return {
    name: name === '' ? '(top level)' : name,
    position: { file: script.file, line: row, column: Number(place[2]) + script.column - 1 },
  }
}
