import type { Diagnostic } from '../contract/diagnostic.ts'
import type { Limits } from '../contract/limits.ts'
import type { Plan, PlannedScript } from '../pipeline/plan.ts'
import type { ScriptProgram } from '../scripting/sandbox.ts'
import { createSandbox } from '../scripting/create-sandbox.ts'
import type { StageDefinition } from '../stages/define.ts'

/** Longer than any run may take: a program that is replaced still serves the runs it has begun. */
const DISPOSE_AFTER_MS = 120_000

/** Compiled scripts of all served plans: loaded when a plan is new, let go when it is replaced. */
export function createScripting(limits: () => Limits) {
  const sandbox = createSandbox({ maxIsolates: () => limits().isolates })
  let programs = new Map<Plan<StageDefinition>, ScriptProgram>()
  /** What the heaps of `programs` are limited to. */
  let memoryMb = 0

  return {
    /** Problems of one script as diagnostics in the user's file. */
    checkScript: (script: PlannedScript): Diagnostic[] =>
      sandbox.check(script).map(({ severity, code, message, file, line, column }) => ({
        severity,
        code,
        message,
        source: { file, line, column, endLine: line, endColumn: column + 1 },
      })),
    /** Scripts of a plan that is not served; whoever asks disposes of them. */
    loadApart: (plan: Plan<StageDefinition>) =>
      plan.scripts.length > 0
        ? sandbox.load(plan.scripts, { memoryMb: limits().scriptMemoryMb })
        : undefined,
    programOf: (plan: Plan<StageDefinition>) => programs.get(plan),
    /** Takes over the plans that are served from now on. */
    serve(plans: readonly Plan<StageDefinition>[]) {
      const next = new Map<Plan<StageDefinition>, ScriptProgram>()
      const isSameHeap = memoryMb === limits().scriptMemoryMb
      memoryMb = limits().scriptMemoryMb
      for (const plan of plans)
        if (plan.scripts.length > 0)
          next.set(
            plan,
            (isSameHeap && programs.get(plan)) || sandbox.load(plan.scripts, { memoryMb }),
          )
      for (const [plan, program] of programs)
        if (next.get(plan) !== program)
          setTimeout(() => program.dispose(), DISPOSE_AFTER_MS).unref()
      programs = next
    },
    state: sandbox.state,
    close: () => sandbox.close(),
  }
}
