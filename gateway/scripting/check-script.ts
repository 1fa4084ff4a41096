import { analyseScript, type TextPosition } from './analysis/analyse-script.ts'
import type { ScriptProblem, ScriptSource } from './sandbox.ts'
import { placeInFile } from './script-place.ts'

/** Problems of one script in positions of the user's file; an error means that it cannot run. */
export function checkScript(source: ScriptSource): ScriptProblem[] {
  const { stageId } = source
  const problem = (
    severity: ScriptProblem['severity'],
    code: string,
    message: string,
    at: TextPosition,
  ): ScriptProblem => ({
    stageId,
    severity,
    code,
    message,
    ...placeInFile(source, at),
  })
  const analysis = analyseScript(source.text)
  if (!analysis.ok) return [problem('error', 'SCRIPT_SYNTAX', analysis.message, analysis.at)]
  const problems: ScriptProblem[] = []
  for (const [name, at] of analysis.implicitGlobals)
    problems.push(
      problem(
        'warning',
        'SCRIPT_IMPLICIT_GLOBAL',
        `"${name}" is assigned but not declared; it lasts for one run only. Declare it with let or const`,
        at,
      ),
    )
  for (const at of analysis.globalWrites)
    problems.push(
      problem(
        'warning',
        'SCRIPT_GLOBAL_WRITE',
        'globalThis is read-only for scripts, this assignment has no effect. Use a variable, or a key of the context',
        at,
      ),
    )
  for (const { key, at } of source.async ? analysis.fixedWrites : [])
    problems.push(
      problem(
        'warning',
        'SCRIPT_WRITE_DROPPED',
        `An asynchronous stage cannot change ${key}, so this write is dropped. Return a key of its own, and let a synchronous stage that needs this one use it`,
        at,
      ),
    )
  if (!analysis.hasHandler)
    problems.push(
      problem(
        'warning',
        'SCRIPT_NO_HANDLER',
        'The script defines neither handleRequest nor handleResponse; only what it does to the context while loading counts',
        { line: 1, column: 1 },
      ),
    )
  return problems
}
