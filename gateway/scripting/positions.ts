import type { SourcePosition } from '../errors.ts'
import { REALM_FILE } from './realm/file-name.ts'
import type { ScriptSource } from './sandbox.ts'
import { engineName, lineStarts, placeInFile } from './script-place.ts'

/** A stack trace of the isolate in positions of the user's files; frames of ours are left out. */
export interface UserStack {
  /** Innermost first: `handleRequest (scripts/price.js:3:9)`. */
  frames: string[]
  /** Where the innermost frame stands. */
  source?: SourcePosition
}

/** Reads all frames of a trace. */
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

/** Where the innermost frame stands; the rest of the trace is not read. */
export function readPlace(
  stack: string,
  scripts: readonly ScriptSource[],
): SourcePosition | undefined {
  for (const line of stack.split('\n')) {
    const frame = readFrame(line, scripts)
    if (frame) return frame.position
  }
  return undefined
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
  const head = line.slice(0, place.index)
  for (const script of scripts) {
    const { filename, firstLine } = engineName(script)
    const row = Number(place[1]) - firstLine + 1
    if (!head.endsWith(filename) || !' ('.includes(head.at(-filename.length - 1) ?? '')) continue
    if (row < 1 || row > lineStarts(script).length) continue
    const name = head
      .slice(0, -filename.length)
      .replace(/^\s+at /, '')
      .replace(/ ?\($/, '')
      .trim()
    return {
      name: name === '' ? '(top level)' : name,
      position: placeInFile(script, { line: row, column: Number(place[2]) }),
    }
  }
  return undefined
}
