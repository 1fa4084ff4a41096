import type { SourcePosition } from '../errors.ts'
import type { TextPosition } from './analysis/analyse-script.ts'
import type { ScriptSource } from './sandbox.ts'

/** What the engine calls a script, and the line it begins to count at. */
export interface EngineName {
  filename: string
  firstLine: number
}

/**
 * Lines of the engine are lines of the file where the script stands there line for line; otherwise
 * it counts the lines of the text, under a name that no other script has.
 */
export const engineName = ({ file, line, stageId, places }: ScriptSource): EngineName =>
  places ? { filename: `${file}#${stageId}`, firstLine: 1 } : { filename: file, firstLine: line }

/** A place in a script's own text as a position in the user's file. */
export function placeInFile(source: ScriptSource, at: TextPosition): SourcePosition {
  const { file, line, column, places } = source
  if (!places) return { file, line: line + at.line - 1, column: column + at.column - 1 }
  const starts = lineStarts(source)
  const offset = (starts[at.line - 1] ?? source.text.length) + at.column - 1
  const [from, fileLine, fileColumn] = places.findLast(([from]) => from <= offset) ?? [
    offset,
    line,
    column,
  ]
  return { file, line: fileLine, column: fileColumn + offset - from }
}

const knownStarts = new WeakMap<ScriptSource, readonly number[]>()

/** Offsets at which the lines of a script's text begin. */
export function lineStarts(source: ScriptSource): readonly number[] {
  const known = knownStarts.get(source)
  if (known) return known
  const starts = [0]
  for (let at = source.text.indexOf('\n'); at >= 0; at = source.text.indexOf('\n', at + 1))
    starts.push(at + 1)
  knownStarts.set(source, starts)
  return starts
}
