import type { Diagnostic } from '../contract/diagnostic.ts'
import type { Plan, PlannedScript } from '../pipeline/plan.ts'
import type { ScriptProgram } from '../scripting/sandbox.ts'
import { createSandbox } from '../scripting/create-sandbox.ts'
import type { StageDefinition } from '../stages/define.ts'

const HEAP_MB = 64
/** Longer than any run may take: a program that is replaced still serves the runs it has begun. */
const DISPOSE_AFTER_MS = 120_000

/** Compiled scripts of all served plans: loaded when a plan is new, let go when it is replaced. */
export function createScripting() {
  const sandbox = createSandbox()
  let programs = new Map<Plan<StageDefinition>, ScriptProgram>()

  return {
    /** Problems of one script as diagnostics in the user's file. */
    checkScript: (script: PlannedScript): Diagnostic[] =>
      sandbox.check(script).map(({ severity, code, message, file, line, column }) => ({
        severity,
        code,
        message,
        source: { file, line, column, endLine: line, endColumn: column + 1 },
      })),
    programOf: (plan: Plan<StageDefinition>) => programs.get(plan),
    /** Takes over the plans that are served from now on. */
    serve(plans: readonly Plan<StageDefinition>[]) {
      const next = new Map<Plan<StageDefinition>, ScriptProgram>()
      for (const plan of plans)
        if (plan.scripts.length > 0)
          next.set(plan, programs.get(plan) ?? sandbox.load(plan.scripts, { memoryMb: HEAP_MB }))
      for (const [plan, program] of programs)
        if (!next.has(plan)) setTimeout(() => program.dispose(), DISPOSE_AFTER_MS).unref()
      programs = next
    },
    close: () => sandbox.close(),
  }
}
