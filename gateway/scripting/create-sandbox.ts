import { checkScript } from './check-script.ts'
import { createIsolateBudget } from './isolate-budget.ts'
import type { PaceOptions } from './pace.ts'
import { createProgram } from './program.ts'
import type { Sandbox, ScriptProgram } from './sandbox.ts'

export interface SandboxOptions extends Partial<PaceOptions> {
  /** Isolates open at once, for all programs together. */
  maxIsolates?: () => number
}

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
      programs.add(program)
      return {
        run: (entry) => program.run(entry),
        dispose() {
          programs.delete(program)
          program.dispose()
        },
      }
    },
    state: budget.state,
    close() {
      for (const program of programs) program.dispose()
      programs.clear()
    },
  }
}
