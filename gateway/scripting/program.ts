import { type CompiledScript, compileScript } from './compiled-script.ts'
import { planCrossing } from './crossing.ts'
import { createEntryRun, type EntryRun, type ScriptGroup } from './entry-run.ts'
import { createLane, type Lane, type LaneOptions } from './lane.ts'
import type { IsolateBudget } from './isolate-budget.ts'
import { createPace, type PaceOptions } from './pace.ts'
import { abortReason, interruptedError } from './run-failures.ts'
import type { ScriptEntry, ScriptProgram, ScriptSource } from './sandbox.ts'

export interface ProgramOptions extends PaceOptions {
  scripts: readonly ScriptSource[]
  memoryMb: number
  budget: IsolateBudget
}

/** How long an isolate for one run at a time waits for the next such run. */
const SPARE_MS = 2000
const READY_MS = 1

/** The scripts of one pipeline version: one shared isolate, and a fresh one for each trouble-maker. */
export function createProgram(options: ProgramOptions): ScriptProgram {
  const { budget, memoryMb, budgetMs } = options
  const pace = createPace(options)
  const groups = new Map<string, ScriptGroup>()
  const watched = new WeakMap<ScriptEntry['stages'], ScriptGroup>()
  const unwatched = new WeakMap<ScriptEntry['stages'], ScriptGroup>()
  const lanes = new Set<Lane>()
  /** Runs that wait for the shared lane, each with what to call when it has it. */
  const pending = new Map<EntryRun, () => void>()
  let isDisposed = false
  let scripts: CompiledScript[] | undefined
  let shared: Lane | undefined
  /** Was opened for one run alone and is ready for another one. */
  let spare: Lane | undefined
  let closingSpare: NodeJS.Timeout | undefined

  const laneOptions = (): Omit<LaneOptions, 'isAlone' | 'onRetire' | 'onIdle'> => ({
    scripts: compiled(),
    memoryMb,
    pace,
    budgetMs,
    onRepeat: (run, isSuspect) => (isSuspect ? startAlone(run) : startShared(run)),
  })

  function compiled() {
    scripts ??= options.scripts.map(compileScript)
    return scripts
  }

  function close(lane: Lane) {
    lanes.delete(lane)
    if (shared === lane) shared = undefined
    if (spare === lane) takeSpare()
    lane.dispose()
    budget.forget(lane)
  }

  function startShared(run: EntryRun) {
    if (shared) return shared.start(run)
    pending.set(run, budget.hold(run))
    if (pending.size === 1) budget.ask(openShared)
  }

  /** Opens the lane that runs share and puts those on it that have waited for it. */
  function openShared() {
    const runs = [...pending].filter(([run]) => !run.isOver())
    pending.clear()
    if (isDisposed || runs.length === 0) return undefined
    const lane: Lane = createLane({
      ...laneOptions(),
      isAlone: false,
      onRetire(waiting) {
        if (shared === lane) shared = undefined
        for (const run of waiting) startShared(run)
      },
      onIdle: () => (shared === lane ? budget.touch(lane) : close(lane)),
    })
    shared = lane
    lanes.add(lane)
    for (const [run, letGo] of runs) {
      letGo()
      lane.start(run)
    }
    return {
      lane,
      giveUp() {
        if (shared === lane) shared = undefined
        if (lane.isIdle()) close(lane)
      },
    }
  }

  function startAlone(run: EntryRun) {
    const letGo = budget.hold(run)
    const begin = () => {
      letGo()
      if (isDisposed) run.fail(interruptedError())
      if (run.isOver()) return
      const lane = takeSpare() ?? openAlone()
      lane.start(run)
    }
    // The isolate of a run that has just ended is ready for the next one a moment later.
    budget.askAlone(run, () => (spare ? begin() : void setTimeout(begin, READY_MS)))
  }

  function openAlone(): Lane {
    const lane: Lane = createLane({
      ...laneOptions(),
      isAlone: true,
      onRetire() {},
      onIdle: () => keepSpare(lane),
    })
    lanes.add(lane)
    return lane
  }

  /** Runs that are slow but do no harm need not open an isolate each. */
  function keepSpare(lane: Lane) {
    if (spare === lane) return
    if (spare || isDisposed || !lane.isSound()) return close(lane)
    spare = lane
    closingSpare = setTimeout(close, SPARE_MS, lane).unref()
    budget.keepSpare(lane, () => close(lane))
  }

  function takeSpare(): Lane | undefined {
    const lane = spare
    clearTimeout(closingSpare)
    if (lane) budget.dropSpare(lane)
    spare = undefined
    return lane
  }

  function groupOf({ stages, isWatched = true }: ScriptEntry): ScriptGroup {
    const byList = isWatched ? watched : unwatched
    const known = byList.get(stages)
    if (known) return known
    const group = makeGroup(stages, isWatched)
    byList.set(stages, group)
    return group
  }

  function makeGroup(stages: ScriptEntry['stages'], isWatched: boolean): ScriptGroup {
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
    run(entry) {
      const run = createEntryRun(entry, groupOf(entry))
      if (entry.signal.aborted) run.fail(abortReason(run))
      else if (pace.isSlow()) startAlone(run)
      else startShared(run)
      return run.settled
    },
    dispose() {
      isDisposed = true
      for (const run of pending.keys()) run.fail(interruptedError())
      for (const lane of lanes) close(lane)
    },
  }
}
