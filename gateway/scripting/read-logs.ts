import { cleanStackText, readPlace } from './positions.ts'
import type { ScriptLog, ScriptSource } from './sandbox.ts'

/** Console entries as realm/kernel.ts writes them, in positions of the user's files. */
export function readLogs(
  stageId: string,
  json: string,
  sources: readonly ScriptSource[],
): ScriptLog[] {
  // Safe: written by our own kernel, which gives every entry these members.
  const entries = JSON.parse(json) as (Pick<ScriptLog, 'level' | 'values' | 'at'> & {
    stack: string
  })[]
  return entries.map(({ level, values, at, stack }) => {
    const source = readPlace(stack, sources)
    const shown = values.map(({ kind, text }) => ({
      kind,
      text: kind === 'text' ? cleanStackText(text, sources) : text,
    }))
    return { stageId, level, values: shown, at, ...(source && { source }) }
  })
}
