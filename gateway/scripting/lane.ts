import { errors, type GatewayError } from '../errors.ts'
import type { CompiledScript } from './compiled-script.ts'
import { pushContext } from './crossing.ts'
import { clock, type EntryRun } from './entry-run.ts'
import { makeHostCall } from './host-calls.ts'
import { openRealm, type EntryOutcome, type Realm } from './open-realm.ts'
import type { Pace } from './pace.ts'
import { readResults } from './read-results.ts'
import { OPS } from './realm/kernel.ts'
import { abortReason, interruptedError, memoryError, timeoutError } from './run-failures.ts'
import { createSlots } from './slots.ts'
import { remainingMs, watchRun } from './watch-run.ts'

/** An isolate and the runs that are on it. Entered from here only, one entry at a time. */
export interface Lane {
  start(run: EntryRun): void
  /** Nothing is queued, under way or waiting for an answer. */
  isIdle(): boolean
  /** Nothing on it was ever ended by force. */
  isSound(): boolean
  /** Ends the isolate; runs that are still on it fail with `SCRIPT_INTERRUPTED`. */
  dispose(): void
}

export interface LaneOptions {
  scripts: readonly CompiledScript[]
  memoryMb: number
  pace: Pace
  budgetMs: number
  /** For one run that may take its whole time limit. */
  isAlone: boolean
  /** The run must be entered again; a suspect one on an isolate of its own. */
  onRepeat(run: EntryRun, isSuspect: boolean): void
  /** The lane takes no more runs: its isolate is dead, stuck, or busy with one run for long. */
  onRetire(waiting: EntryRun[]): void
  onIdle(): void
}

interface Batch {
  runs: EntryRun[]
  values: unknown[]
  /** Runs that have called out cannot be entered again, so they get their time and a turn alone. */
  isRepeatable: boolean
  limitMs: number
}

/** How long past its limit an entry may stay silent: some built-ins cannot be interrupted. */
const GRACE_MS = 250
const PATIENCE_MS = 100
/** A batch on the thread pool gets a twentieth of a run's limit, within these bounds. */
const LEAST_BATCH_MS = 10
const MOST_BATCH_MS = 100
const MOST_RUNS = 64
const MOST_VALUES = 4000

/** Opens an isolate and works off what is queued for it, a batch per turn of the event loop. */
export function createLane(options: LaneOptions): Lane {
  const { pace, isAlone } = options
  const runs = createSlots<EntryRun>()
  const knownGroups = new Set<number>()
  const ended: number[] = []
  const settlements = new Map<EntryRun, unknown[]>()
  const watches = new Map<EntryRun, () => void>()
  let waiting: EntryRun[] = []
  let heldCalls: (readonly unknown[])[] = []
  let realm: Realm | undefined
  let isScheduled = false
  let entered: Batch | undefined
  let isRetired = false
  let isGone = false
  let wasForced = false

  openRealm({ ...options, onReport: receive }).then(
    (opened) => {
      realm = opened
      if (isGone) opened.dispose()
      else schedule()
    },
    (cause: unknown) => {
      const error = errors.internal('The script engine could not be started', { cause })
      isGone = true
      for (const run of waiting.splice(0)) run.fail(error)
      retire()
      options.onIdle()
    },
  )

  function receive(values: readonly unknown[]) {
    const from = values[0] === OPS.padded ? 1 : 0
    if (values[0] === OPS.call) heldCalls.push(values)
    else if (values[from] === OPS.results)
      for (const report of readResults(values, from + 1))
        runs.get(report.key)?.receiveResults(report)
    else runs.get(Number(values[1]))?.receiveLogs(Number(values[2]), String(values[3]))
  }

  function schedule() {
    if (isScheduled || entered || isGone || !realm) return
    isScheduled = true
    if (pace.isOnMainThread() && !pace.gathers()) queueMicrotask(flush)
    else setImmediate(flushGathered)
  }

  function flushGathered() {
    pace.recordGathered(waiting.length)
    flush()
  }

  function flush() {
    isScheduled = false
    if (!realm || entered || isGone) return
    const batch = takeAlone() ?? takeBatch(realm)
    if (!batch) return
    if (batch.isRepeatable && pace.isOnMainThread()) {
      batch.limitMs = options.budgetMs
      const outcome = realm.enterNow(batch.values, options.budgetMs)
      leave(batch, outcome)
    } else void enterLater(realm, batch)
  }

  /** The settlements of one run that must not be repeated. */
  function takeAlone(): Batch | undefined {
    for (const [run, values] of settlements) {
      if (!run.hasCalled) continue
      settlements.delete(run)
      if (run.isOver()) continue
      return { runs: [run], values, isRepeatable: false, limitMs: Math.max(1, remainingMs(run)) }
    }
    return undefined
  }

  function takeBatch(realm: Realm): Batch | undefined {
    const values: unknown[] = []
    const taken = new Set<EntryRun>()
    let limitMs = isAlone ? 0 : MOST_BATCH_MS
    if (ended.length > 0) for (const key of ended.splice(0)) values.push(OPS.end, key)
    if (settlements.size > 0) {
      for (const [run, settled] of settlements) {
        if (!run.isOver()) values.push(...settled)
        taken.add(run)
      }
      settlements.clear()
    }
    const most = pace.isOnMainThread() ? pace.batchLimit() : MOST_RUNS
    while (waiting.length > 0 && taken.size < most && values.length < MOST_VALUES) {
      const run = waiting.shift()
      if (!run || run.isOver()) continue
      if (run.entry.signal.aborted) {
        run.fail(abortReason(run))
        continue
      }
      if (!knownGroups.has(run.group.index)) {
        realm.addGroup(run.group.index, run.group.json)
        knownGroups.add(run.group.index)
      }
      run.key = runs.add(run)
      run.startedAt = clock()
      taken.add(run)
      values.push(OPS.start, run.key, run.group.index)
      pushContext(run.group.plan, run.entry.context, values)
    }
    for (const run of taken)
      limitMs = isAlone
        ? Math.max(1, limitMs, remainingMs(run))
        : Math.min(limitMs, Math.max(LEAST_BATCH_MS, run.entry.limits.timeoutMs / 20))
    if (waiting.length > 0) queueMicrotask(schedule)
    if (values.length === 0) return undefined
    return { runs: [...taken], values, isRepeatable: !isAlone, limitMs }
  }

  async function enterLater(realm: Realm, batch: Batch) {
    entered = batch
    const limitMs = Math.ceil(batch.limitMs)
    const { promise: stuck, resolve } = Promise.withResolvers<'stuck'>()
    const watchdog = setTimeout(() => resolve('stuck'), limitMs + GRACE_MS)
    const [busy] = batch.runs
    const patience =
      batch.isRepeatable || !busy ? undefined : setTimeout(losePatience, PATIENCE_MS, busy)
    const onAbort = () => isAlone && realm.dispose()
    for (const { entry } of batch.runs) if (isAlone) entry.signal.addEventListener('abort', onAbort)
    const leaving = realm.enterLater(batch.values, { timeoutMs: limitMs, isAlone })
    const outcome = await Promise.race([leaving, stuck])
    clearTimeout(watchdog)
    clearTimeout(patience)
    for (const { entry } of batch.runs)
      if (isAlone) entry.signal.removeEventListener('abort', onAbort)
    entered = undefined
    if (outcome === 'stuck') {
      leave(batch, { kind: 'overrun', elapsedMs: limitMs })
      die()
      options.onIdle()
    } else leave(batch, outcome)
  }

  function leave(batch: Batch, outcome: EntryOutcome) {
    const { elapsedMs } = outcome
    // First of all: whoever waits for this isolate may ask as soon as a run is over.
    if (outcome.kind !== 'done') wasForced = true
    const unfinished = batch.runs.filter((run) => !run.isOver())
    if (isAlone && outcome.kind === 'done') pace.recordAlone(elapsedMs)
    else if (batch.isRepeatable) pace.record(elapsedMs, batch.runs.length)
    if (runs.size() > batch.runs.length)
      for (const run of runs.values()) if (!batch.runs.includes(run)) run.startedAt += elapsedMs
    const calls = heldCalls
    heldCalls = []
    for (const values of calls)
      if (outcome.kind === 'done' || runs.get(Number(values[1]))?.isOver()) dispatch(values)
    if (outcome.kind === 'done') {
      for (const run of unfinished) if (!run.isOver()) awaitAnswers(run)
    } else if (outcome.kind === 'overrun') overrun(batch, unfinished, outcome)
    else {
      for (const run of unfinished)
        if (run.entry.signal.aborted) run.fail(abortReason(run))
        else if (batch.isRepeatable) repeat(run, true)
        else run.fail(memoryError(options.memoryMb))
      die()
    }
    for (const run of batch.runs) if (run.isOver()) leaveLane(run)
    schedule()
    if (isIdle()) options.onIdle()
  }

  function overrun(batch: Batch, unfinished: EntryRun[], { stack, cpuMs }: EntryOutcome) {
    // Other processes had the processor for most of the time: that is nobody's fault.
    const isAccident =
      cpuMs !== undefined &&
      cpuMs < batch.limitMs / 2 &&
      unfinished.every(({ repeats }) => repeats < 3)
    const guilty = isAccident ? -1 : (realm?.inside().run ?? 0)
    if (!isAccident) pace.overran()
    for (const run of unfinished) {
      ended.push(run.key)
      if (run.entry.signal.aborted) run.fail(abortReason(run))
      // Outside of all runs it was in what follows an await, and anyone may have been in there.
      else if (batch.isRepeatable) repeat(run, guilty === run.key || guilty === 0)
      else run.fail(timeoutError(run, stack))
    }
  }

  function repeat(run: EntryRun, isSuspect: boolean) {
    leaveLane(run)
    run.restart()
    options.onRepeat(run, isSuspect)
  }

  function dispatch(values: readonly unknown[]) {
    const [, key, , id, kind, payload, text] = values
    const run = runs.get(Number(key))
    if (!run) return
    void makeHostCall(run, {
      kind: String(kind),
      payload: String(payload),
      text: String(text),
    }).then(({ isOk, json, text }) => {
      if (run.isOver() || isGone) return
      const settled = settlements.get(run) ?? []
      settled.push(OPS.settle, run.key, id, isOk, json, text)
      settlements.set(run, settled)
      schedule()
    })
  }

  /** From now on the run waits for answers; its time limit and its signal go on counting. */
  function awaitAnswers(run: EntryRun) {
    if (watches.has(run)) return
    const isBlocked = () => entered !== undefined && !entered.runs.includes(run)
    const onStop = (error: GatewayError) => {
      ended.push(run.key)
      run.fail(error)
      leaveLane(run)
      schedule()
      if (isIdle()) options.onIdle()
    }
    watches.set(run, watchRun(run, { isBlocked, onStop }))
  }

  function leaveLane(run: EntryRun) {
    watches.get(run)?.()
    watches.delete(run)
    settlements.delete(run)
    runs.remove(run.key)
  }

  /** One run is taking its time: the others need not wait for it. */
  function losePatience(busy: EntryRun) {
    retire()
    for (const run of runs.values())
      if (run !== busy && !run.hasCalled && !run.isOver()) {
        ended.push(run.key)
        repeat(run, false)
      }
  }

  function retire() {
    if (isRetired) return
    isRetired = true
    const rest = waiting
    waiting = []
    options.onRetire(rest)
  }

  /** The isolate is lost; runs on it that have not called out can start anew elsewhere. */
  function die() {
    isGone = true
    retire()
    realm?.dispose()
    for (const run of runs.values())
      if (run.isOver()) continue
      else if (run.hasCalled) run.fail(interruptedError())
      else repeat(run, false)
    runs.clear()
    settlements.clear()
  }

  const isIdle = () => !entered && waiting.length === 0 && runs.size() === 0

  return {
    start(run) {
      waiting.push(run)
      schedule()
    },
    isIdle,
    isSound: () => !wasForced && !isGone,
    dispose() {
      isGone = true
      realm?.dispose()
      for (const run of [...runs.values(), ...waiting]) run.fail(interruptedError())
      runs.clear()
      waiting = []
    },
  }
}
