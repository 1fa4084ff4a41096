import { checkScript } from './check-script.ts'
import { createIsolateBudget } from './isolate-budget.ts'
import type { PaceOptions } from './pace.ts'
import { prepareLibraries } from './libraries/prepare.ts'
import { createProgram } from './program.ts'
import type { Sandbox, ScriptProgram } from './sandbox.ts'

export interface SandboxOptions extends Partial<PaceOptions> {
  /** Isolates open at once, for all programs together. */
  maxIsolates?: () => number
}

/** After a start the ready line comes first, and what is replaced at once need not be prepared. */
const PREPARE_AFTER_MS = 1500

/**
 * Scripts in isolates of V8, inside this process. The process must have been started with
 * `--no-node-snapshot`.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { mainThreadAfter = 200, budgetMs = 15, maxIsolates = () => 32 } = options
  const programs = new Set<ScriptProgram>()
  const budget = createIsolateBudget(maxIsolates)

  return {
    check: checkScript,
    load(scripts, { memoryMb }) {
      const program = createProgram({ scripts, memoryMb, mainThreadAfter, budgetMs, budget })
      const preparing = setTimeout(prepareLibraries, PREPARE_AFTER_MS, scripts).unref()
      const loaded: ScriptProgram = {
        run: (entry) => program.run(entry),
        dispose() {
          clearTimeout(preparing)
          programs.delete(loaded)
          program.dispose()
        },
      }
      programs.add(loaded)
      return loaded
    },
    state: budget.state,
    close() {
      for (const program of programs) program.dispose()
    },
  }
}
