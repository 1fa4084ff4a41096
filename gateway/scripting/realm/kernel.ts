/* oxlint-disable unicorn/consistent-function-scoping -- the text is sent into the isolate, so it must stand alone */
import type { CallReply, RealmServices, RealmStage } from '../globals/define.ts'
import type { createCodec } from './codec.ts'
import type { createInspect } from './inspect.ts'

/** What an entry tells the isolate, and what it tells the host; after `padded` comes the real one. */
export const OPS = {
  start: 1,
  settle: 2,
  end: 3,
  results: 11,
  call: 12,
  logs: 13,
  padded: 14,
} as const

/** Marks in the memory both sides see: the run and the stage whose code is executing. */
export const MARKS = { run: 0, stage: 1 } as const

/** How results travel: at once, or after the entry when the isolate is on another thread. */
export interface KernelHost {
  report: (...values: unknown[]) => void
  reportLater: (...values: unknown[]) => void
  random(count: number): string
  marks: Int32Array
}

interface Parts {
  ops: typeof OPS
  marksAt: typeof MARKS
  host: KernelHost
  codec: ReturnType<typeof createCodec>
  inspect: ReturnType<typeof createInspect>
  limits: { logEntries: number; logChars: number; calls: number }
  places: number
}

interface Group {
  whole: boolean
  slots: { top: string; sub?: string }[]
  /** Otherwise changes of single stages are of no interest, only what they come to. */
  isWatched: boolean
  stages: { script: number; async: boolean; continueOnError: boolean }[]
}

/**
 * Runs scripts inside the isolate: takes batches, calls each script as a fresh function, settles
 * host calls, reports. Its text must stand alone; it is strict, so that no script can walk up to it.
 */
export function createKernel({ ops, marksAt, host, codec, inspect, limits, places }: Parts) {
  interface Stage extends RealmStage {
    over: boolean
    run: Run
    index: number
    logs: unknown[]
    startTime: number
  }
  interface Run {
    key: number
    group: Group
    base: ReturnType<typeof codec.decode>[0]
    index: number
    stage: Stage | undefined
    /** When its last stage ended. */
    reachedAt: number
    /** Changes not yet reported, by place, when nobody watches. */
    held: Map<string, ReturnType<typeof codec.changesOf>[0]>
    /** Flat values of stages that are done and not yet reported. */
    done: unknown[]
    doneCount: number
    calls: Map<
      number,
      { resolve(reply: CallReply): void; reject(error: Error): void; failure: Error }
    >
    callCount: number
    logEntries: number
    logChars: number
    /** Alone on its isolate: whatever it says is reported at once, in case it never returns. */
    isAlone: boolean
  }
  type Binding = (stage: RealmStage) => unknown
  interface Script {
    body: (...bindings: unknown[]) => unknown
    bindings: (Binding | undefined)[]
  }

  /** By place, as scripting/slots.ts gives them out, and for the reason it tells. */
  const runs: (Run | undefined)[] = []
  const findRun = (key: number) =>
    runs[key % places]?.key === key ? runs[key % places] : undefined
  const groups: Group[] = []
  const scripts: Script[] = []
  const perStage = new Map<string, Binding>()
  let report = host.report
  /** Results of runs that never waited; they leave together at the end of the entry. */
  let outbox: unknown[] = []
  let isCollecting = false

  const instant = Temporal.Now.instant
  const now = () => Number(instant().epochNanoseconds) / 1e6
  const nowFor = (run: Run) => (run.group.isWatched ? now() : Date.now())

  const services: RealmServices = {
    randomBytes: (count) => host.random(count),

    call(stage, kind, payload, text = '') {
      // Safe: stages are made here only.
      const { run, over } = stage as Stage
      if (over) return Promise.reject(new Error(`${kind} was called after its stage had ended`))
      const id = ++run.callCount
      if (id > limits.calls) {
        const error = new Error(`More than ${limits.calls} asynchronous calls in one run`)
        return Promise.reject(Object.assign(error, { code: 'CALL_LIMIT' }))
      }
      flushLogs(run)
      report(ops.call, run.key, run.index, id, kind, payload, text)
      // Made here, where the script's own frames are on the stack.
      const failure = new Error()
      return new Promise((resolve, reject) => run.calls.set(id, { resolve, reject, failure }))
    },

    log(stage, level, values) {
      // Safe: stages are made here only.
      const { run, over, logs } = stage as Stage
      if (over || run.logEntries > limits.logEntries || run.logChars > limits.logChars) return
      const shown = values.map(inspect)
      run.logEntries++
      for (const { text } of shown) run.logChars += text.length
      const { stack } = new Error()
      const isFull = run.logEntries > limits.logEntries || run.logChars > limits.logChars
      const note = { kind: 'text', text: 'Further console entries are left out' }
      logs.push({ level, values: isFull ? [note] : shown, at: now(), stack })
      if (run.isAlone) flushLogs(run)
    },
  }

  function flushLogs(run: Run) {
    const stage = run.stage
    if (!stage || stage.logs.length === 0) return
    report(ops.logs, run.key, stage.index, JSON.stringify(stage.logs))
    stage.logs = []
  }

  const placeOf = ({ top, sub }: { top: string; sub: string | undefined }) =>
    sub === undefined ? `.${top}` : `${top}.${sub}`

  function pushChanges(run: Run, changes: ReturnType<typeof codec.changesOf>) {
    for (const { top, sub, leaf } of changes)
      if (typeof leaf === 'object' && leaf !== null) run.done.push(top, sub, true, leaf.json)
      else run.done.push(top, sub, false, leaf)
  }

  /** isolated-vm takes 255, 383, 511 … as the number of values for the header of what it carries. */
  function reportResults(values: unknown[]) {
    if ((values.length + 1) % 128 === 127) report(ops.padded, ops.results, ...values)
    else report(ops.results, ...values)
  }

  function flushDone(run: Run, isFinal: boolean) {
    if (run.doneCount === 0 && !isFinal) return
    if (run.held.size > 0 && run.doneCount > 0) {
      // Nothing follows the number of changes of the last stage, which is 0 so far.
      run.done[run.done.length - 1] = run.held.size
      pushChanges(run, [...run.held.values()])
      run.held.clear()
    }
    if (isCollecting && isFinal) outbox.push(run.key, isFinal, run.doneCount, ...run.done)
    else reportResults([run.key, isFinal, run.doneCount, ...run.done])
    run.done = []
    run.doneCount = 0
  }

  /** One finished stage as flat values; changes are top, sub, JSON or not, value. */
  function push(
    run: Run,
    stage: Stage,
    outcome: { changes: ReturnType<typeof codec.changesOf>; error?: string; returned?: string },
  ) {
    const endTime = nowFor(run)
    run.reachedAt = endTime
    stage.over = true
    run.stage = undefined
    run.doneCount++
    const logs = stage.logs.length === 0 ? undefined : JSON.stringify(stage.logs)
    const { error, returned } = outcome
    const changes = run.group.isWatched ? outcome.changes : []
    for (const change of outcome.changes)
      if (!run.group.isWatched) run.held.set(placeOf(change), change)
    run.done.push(stage.index, stage.startTime, endTime, error, logs, returned, changes.length)
    pushChanges(run, changes)
    if (run.isAlone) flushDone(run, false)
  }

  function finish(run: Run) {
    forget(run)
    flushDone(run, true)
  }

  function forget(run: Run) {
    if (run.stage) run.stage.over = true
    run.calls.clear()
    runs[run.key % places] = undefined
  }

  /** Runs stages until one waits. */
  function advance(run: Run) {
    while (run.index < run.group.stages.length) {
      const startTime = run.reachedAt || nowFor(run)
      const stage: Stage = { over: false, run, index: run.index, logs: [], startTime }
      run.stage = stage
      host.marks[marksAt.run] = run.key
      host.marks[marksAt.stage] = run.index
      const script = scripts[run.group.stages[run.index]?.script ?? -1]
      const context = codec.build(run.base)
      try {
        const { body, bindings } = script as Script
        const handler = body(
          context,
          ...bindings.map((bind) => (bind === undefined ? undefined : bind(stage))),
        )
        const value: unknown = typeof handler === 'function' ? handler(context) : undefined
        if (isThenable(value)) {
          wait(run, stage, context, value)
          return
        }
        complete(run, stage, context, value)
      } catch (error) {
        if (!fail(run, stage, error)) return
      }
      run.index++
    }
    finish(run)
  }

  const isThenable = (value: unknown): value is Promise<unknown> =>
    Object(value) === value && typeof Reflect.get(Object(value), 'then') === 'function'

  function wait(run: Run, stage: Stage, context: Record<string, unknown>, promise: unknown) {
    flushDone(run, false)
    flushLogs(run)
    const resume = (settle: () => boolean) => {
      if (stage.over) return
      host.marks[marksAt.run] = run.key
      host.marks[marksAt.stage] = run.index
      if (settle()) {
        run.index++
        advance(run)
      }
      host.marks[marksAt.run] = 0
    }
    Promise.resolve(promise).then(
      (value) =>
        resume(() => {
          try {
            complete(run, stage, context, value)
            return true
          } catch (error) {
            return fail(run, stage, error)
          }
        }),
      (error: unknown) => resume(() => fail(run, stage, error)),
    )
  }

  /** Takes over what the script gave: what it returned or, when that is nothing, the context. */
  function complete(run: Run, stage: Stage, context: Record<string, unknown>, value: unknown) {
    const isAsync = run.group.stages[stage.index]?.async === true
    const isNothing = value === undefined || value === null
    let returned: string | undefined
    if (isAsync && !isNothing) {
      const leaf = codec.toLeaf(value, 'The returned value')
      returned = typeof leaf === 'object' && leaf !== null ? leaf.json : JSON.stringify(leaf)
    }
    if (!isNothing && !codec.isObject(value)) {
      if (isAsync) return push(run, stage, { changes: [], returned })
      const kind = Array.isArray(value) ? 'an array' : `a ${typeof value}`
      throw { invalidResult: `The script must return an object or nothing, not ${kind}` }
    }
    const isContext = isNothing || value === context
    const changes = codec.changesOf(run.base, isContext ? context : value, isContext)
    codec.apply(run.base, changes)
    push(run, stage, { changes, returned })
  }

  /** @returns whether the run goes on with its next stage. */
  function fail(run: Run, stage: Stage, error: unknown): boolean {
    push(run, stage, { changes: [], error: JSON.stringify(describe(error)) })
    const goesOn = run.group.stages[stage.index]?.continueOnError === true
    if (!goesOn) finish(run)
    return goesOn
  }

  /** Whatever was thrown, as plain text; its getters may throw, too. */
  function describe(error: unknown) {
    const textOf = (key: string): string | undefined => {
      try {
        const value: unknown = Object(error) === error ? Reflect.get(Object(error), key) : undefined
        return typeof value === 'string' ? value.slice(0, 20_000) : undefined
      } catch {
        return undefined
      }
    }
    const invalidResult = textOf('invalidResult')
    if (invalidResult !== undefined) return { invalidResult }
    const message = textOf('message')
    return {
      name: textOf('name'),
      message: message ?? (typeof error === 'string' ? error : inspect(error).text),
      isError: message !== undefined,
      stack: textOf('stack'),
    }
  }

  function start(values: ArrayLike<unknown>, from: number, isAlone: boolean): number {
    const key = Number(values[from])
    const group = groups[Number(values[from + 1])] as Group
    const [base, next] = codec.decode(group, values, from + 2)
    const run: Run = {
      key,
      group,
      base,
      index: 0,
      stage: undefined,
      held: new Map(),
      reachedAt: 0,
      done: [],
      doneCount: 0,
      calls: new Map(),
      callCount: 0,
      logEntries: 0,
      logChars: 0,
      isAlone,
    }
    runs[key % places] = run
    advance(run)
    return next
  }

  function settle(values: ArrayLike<unknown>, at: number) {
    const run = findRun(Number(values[at]))
    const id = Number(values[at + 1])
    const call = run?.calls.get(id)
    if (!run || !call) return
    run.calls.delete(id)
    // Safe: the host writes text at these places.
    const [json, text] = [values[at + 3] as string, values[at + 4] as string]
    if (values[at + 2] === true) return call.resolve({ json, text })
    const { failure } = call
    const frames = (failure.stack ?? '').replace(/^.*/, '')
    call.reject(
      Object.assign(failure, { message: text, code: json, stack: `Error: ${text}${frames}` }),
    )
  }

  return {
    /** Everything shared: put on the global object before it is frozen. */
    install(name: string, kind: 'shared' | 'perStage', make: (services: RealmServices) => unknown) {
      const made = make(services)
      // Safe: globals/define.ts ties the kind to what is made.
      if (kind === 'perStage') perStage.set(name, made as Binding)
      else
        Reflect.defineProperty(globalThis, name, {
          value: made,
          writable: true,
          enumerable: false,
          configurable: true,
        })
    },
    addScript(index: number, names: string, body: Script['body']) {
      const bindings = names === '' ? [] : names.split(',').map((name) => perStage.get(name))
      scripts[index] = { body, bindings }
    },
    addGroup(index: number, json: string) {
      groups[index] = JSON.parse(json)
    },
    /** Works off one batch. `later` and `isAlone` say how to report. */
    enter(later: boolean, isAlone: boolean, ...values: unknown[]) {
      report = later ? host.reportLater : host.report
      outbox = []
      isCollecting = !isAlone
      for (let at = 0; at < values.length;) {
        const op = values[at]
        if (op === ops.start) at = start(values, at + 1, isAlone)
        else if (op === ops.settle) {
          settle(values, at + 1)
          at += 6
        } else {
          const run = findRun(Number(values[at + 1]))
          if (run) forget(run)
          at += 2
        }
        host.marks[marksAt.run] = 0
      }
      isCollecting = false
      if (outbox.length > 0) reportResults(outbox)
      outbox = []
    },
  }
}
