import { checkScript } from './check-script.ts'
import type { Lane } from './lane.ts'
import type { PaceOptions } from './pace.ts'
import { createProgram } from './program.ts'
import type { Sandbox, ScriptProgram } from './sandbox.ts'

export interface SandboxOptions extends Partial<PaceOptions> {
  /** Isolates kept open; beyond them those that were idle for longest are closed. */
  maxIsolates?: number
}

/**
 * Scripts in isolates of V8, inside this process. The process must have been started with
 * `--no-node-snapshot`.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { mainThreadAfter = 200, budgetMs = 15, maxIsolates = 32 } = options
  const programs = new Set<ScriptProgram>()
  /** Least recently used first. */
  const lanes = new Set<Lane>()

  const keeper = {
    touch(lane: Lane) {
      lanes.delete(lane)
      lanes.add(lane)
      for (const one of lanes) {
        if (lanes.size <= maxIsolates) break
        if (one !== lane && one.isIdle()) one.retire()
      }
    },
    forget(lane: Lane) {
      lanes.delete(lane)
    },
  }

  return {
    check: checkScript,
    load(scripts, { memoryMb }) {
      const program = createProgram({ scripts, memoryMb, mainThreadAfter, budgetMs, keeper })
      programs.add(program)
      return {
        run: (entry) => program.run(entry),
        dispose() {
          programs.delete(program)
          program.dispose()
        },
      }
    },
    close() {
      for (const program of programs) program.dispose()
      programs.clear()
    },
  }
}
