import type { Diagnostic } from '../contract/diagnostic.ts'
import type { Limits } from '../contract/limits.ts'
import type { Plan, PlannedScript } from '../pipeline/plan.ts'
import type { ScriptProgram } from '../scripting/sandbox.ts'
import { createSandbox } from '../scripting/create-sandbox.ts'
import type { StageDefinition } from '../stages/define.ts'

/** The scripts of one plan, loaded. */
interface Loaded {
  program: ScriptProgram
  memoryMb: number
  /** Requests that are on their way to a run, or in one. */
  users: number
  isServed: boolean
}

/**
 * Compiled scripts of all served plans. A plan that is replaced keeps its scripts until the last of
 * its runs has let go of them, however long that takes.
 */
export function createScripting(limits: () => Limits) {
  const sandbox = createSandbox({ maxIsolates: () => limits().isolates })
  const loaded = new Map<Plan<StageDefinition>, Loaded>()

  function load(plan: Plan<StageDefinition>, isServed: boolean): Loaded {
    const memoryMb = limits().scriptMemoryMb
    const program = sandbox.load(plan.scripts, { memoryMb })
    const entry = { program, memoryMb, users: 0, isServed }
    loaded.set(plan, entry)
    return entry
  }

  function retire(plan: Plan<StageDefinition>, entry: Loaded) {
    entry.isServed = false
    disposeUnused(plan, entry)
  }

  function disposeUnused(plan: Plan<StageDefinition>, entry: Loaded) {
    if (entry.isServed || entry.users > 0) return
    entry.program.dispose()
    if (loaded.get(plan) === entry) loaded.delete(plan)
  }

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
    /** Keeps the scripts of a plan loaded until `release`; undefined when it has none. */
    hold(plan: Plan<StageDefinition>) {
      if (plan.scripts.length === 0) return undefined
      // One that is served no more was replaced a moment ago: this run still means it.
      const entry = loaded.get(plan) ?? load(plan, false)
      entry.users++
      return {
        program: entry.program,
        release() {
          entry.users--
          disposeUnused(plan, entry)
        },
      }
    },
    /** Takes over the plans that are served from now on. */
    serve(plans: readonly Plan<StageDefinition>[]) {
      const { scriptMemoryMb } = limits()
      for (const plan of plans) {
        if (plan.scripts.length === 0) continue
        const entry = loaded.get(plan)
        if (entry?.memoryMb === scriptMemoryMb) entry.isServed = true
        else {
          load(plan, true)
          if (entry) retire(plan, entry)
        }
      }
      const next = new Set(plans)
      for (const [plan, entry] of loaded) if (!next.has(plan)) retire(plan, entry)
    },
    state: sandbox.state,
    close: () => sandbox.close(),
  }
}
