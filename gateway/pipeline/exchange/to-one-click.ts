import type { ScriptLookup } from '../find-scripts.ts'
import { isRaw, listOf, textOf } from '../raw.ts'
import { readDocument } from '../read-document.ts'
import type { Exchanged } from './to-dialect.ts'

/**
 * A pipeline as one text of JSON with its scripts inside: `scriptRef` gives way to `script`. Keys,
 * their order and all digits of numbers stay; comments have no place in JSON.
 */
export function toOneClick(
  file: { path: string; text: string },
  resolveScript: (ref: string) => ScriptLookup,
): Exchanged {
  const { value, diagnostics, locate } = readDocument(file.path, file.text)
  if (!isRaw(value)) return { text: file.text, diagnostics }
  const problems = diagnostics.filter(({ severity }) => severity === 'error')
  const stages = listOf(value['stages']).map((stage, index) => {
    const ref = isRaw(stage) ? textOf(stage['scriptRef']) : undefined
    if (!isRaw(stage) || ref === undefined) return stage
    const found = resolveScript(ref)
    if ('path' in found)
      return Object.fromEntries(
        Object.entries(stage).map(([key, one]) =>
          key === 'scriptRef' ? ['script', found.text] : [key, one],
        ),
      )
    problems.push({
      severity: 'error',
      code: found.candidates.length > 1 ? 'script-ambiguous' : 'script-not-found',
      message:
        found.candidates.length > 0
          ? `"${ref}" is no file; it could be ${found.candidates.join(' or ')}`
          : `There is no script file "${ref}" to put in its place`,
      source: locate(['stages', index, 'scriptRef']),
    })
    return stage
  })
  const whole = Array.isArray(value['stages']) ? { ...value, stages } : value
  return problems.length > 0
    ? { text: file.text, diagnostics: problems }
    : { text: `${JSON.stringify(whole, null, 2)}\n`, diagnostics: [] }
}
