import { availableParallelism } from 'node:os'
import { type CompiledScript, compileScript } from './compiled-script.ts'
import { planCrossing } from './crossing.ts'
import { createEntryRun, type EntryRun, type ScriptGroup } from './entry-run.ts'
import { createLane, type Lane, type LaneOptions } from './lane.ts'
import { createPace, type PaceOptions } from './pace.ts'
import { abortReason } from './run-failures.ts'
import type { ScriptEntry, ScriptProgram, ScriptSource } from './sandbox.ts'

/** Told about lanes so that the sandbox can close those that were idle for longest. */
export interface LaneKeeper {
  touch(lane: Lane): void
  forget(lane: Lane): void
}

export interface ProgramOptions extends PaceOptions {
  scripts: readonly ScriptSource[]
  memoryMb: number
  keeper: LaneKeeper
}

/** Runs that need their whole time limit; some threads must stay free for all others. */
const MOST_ALONE = Math.max(1, availableParallelism() - 1)

/** The scripts of one pipeline version: one shared isolate, and a fresh one for each trouble-maker. */
export function createProgram(options: ProgramOptions): ScriptProgram {
  const { keeper, memoryMb, budgetMs } = options
  const pace = createPace(options)
  const groups = new Map<string, ScriptGroup>()
  const lanes = new Set<Lane>()
  const queue: EntryRun[] = []
  let alone = 0
  let scripts: CompiledScript[] | undefined
  let shared: Lane | undefined

  const laneOptions = (): Omit<LaneOptions, 'isAlone' | 'onRetire' | 'onIdle'> => ({
    scripts: compiled(),
    memoryMb,
    pace,
    budgetMs,
    onRepeat: (run, isSuspect) => (isSuspect ? startAlone(run) : sharedLane().start(run)),
  })

  function compiled() {
    scripts ??= options.scripts.map(compileScript)
    return scripts
  }

  function close(lane: Lane) {
    lanes.delete(lane)
    keeper.forget(lane)
    if (shared === lane) shared = undefined
    lane.dispose()
  }

  function sharedLane(): Lane {
    if (shared) return shared
    const lane = createLane({
      ...laneOptions(),
      isAlone: false,
      onRetire(waiting) {
        if (shared === lane) shared = undefined
        for (const run of waiting) sharedLane().start(run)
      },
      onIdle: () => (shared === lane ? keeper.touch(lane) : close(lane)),
    })
    shared = lane
    lanes.add(lane)
    keeper.touch(lane)
    return lane
  }

  function startAlone(run: EntryRun) {
    queue.push(run)
    nextAlone()
  }

  function nextAlone() {
    if (alone >= MOST_ALONE) return
    const run = queue.shift()
    if (!run) return
    if (run.isOver()) return nextAlone()
    alone++
    const lane = createLane({
      ...laneOptions(),
      isAlone: true,
      onRetire() {},
      onIdle: () => close(lane),
    })
    lanes.add(lane)
    run.onEnd(() => {
      alone--
      nextAlone()
    })
    lane.start(run)
  }

  function groupOf({ stages, isWatched = true }: ScriptEntry): ScriptGroup {
    const key = `${isWatched}:${stages
      .map(({ stageId, async, continueOnError }) => `${stageId}:${!!async}:${continueOnError}`)
      .join()}`
    const known = groups.get(key)
    if (known) return known
    const chosen = stages.map(({ stageId }) => {
      const index = compiled().findIndex(({ source }) => source.stageId === stageId)
      const script = compiled()[index]
      if (!script) throw new Error(`stage "${stageId}" has no script in this program`)
      return { index, script }
    })
    const plan = planCrossing(chosen.map(({ script }) => script.contextUse))
    const group = {
      index: groups.size,
      json: JSON.stringify({
        ...plan,
        isWatched,
        stages: chosen.map(({ index }, at) => ({
          script: index,
          async: stages[at]?.async === true,
          continueOnError: stages[at]?.continueOnError,
        })),
      }),
      plan,
      scripts: chosen.map(({ script }) => script),
    }
    groups.set(key, group)
    return group
  }

  return {
    async run(entry) {
      const run = createEntryRun(entry, groupOf(entry))
      if (entry.signal.aborted) run.fail(abortReason(run))
      else if (pace.isSlow()) startAlone(run)
      else sharedLane().start(run)
      return run.settled
    },
    dispose() {
      for (const lane of lanes) close(lane)
    },
  }
}
