import { errors, type GatewayError } from '../errors.ts'
import type { CompiledScript } from './compiled-script.ts'
import type { RunReport, ThrownText } from './read-results.ts'
import { readStack } from './positions.ts'
import { readLogs } from './read-logs.ts'
import type { ScriptEntry, ScriptLog, ScriptResult } from './sandbox.ts'

/** Scripts that run in one entry, as the isolate knows them. */
export interface ScriptGroup {
  index: number
  /** The group for the kernel, as JSON. */
  json: string
  plan: { whole: boolean; slots: readonly { top: string; sub?: string }[] }
  scripts: readonly CompiledScript[]
}

/** One entry of a program on its way, over as many attempts as it takes. */
export interface EntryRun {
  readonly entry: ScriptEntry
  readonly group: ScriptGroup
  readonly settled: Promise<ScriptResult[]>
  /** Its number on the lane it is on. */
  key: number
  /** Epoch milliseconds when its present attempt began; 0 before. */
  startedAt: number
  /** It has sent a request, so it must not be entered a second time. */
  hasCalled: boolean
  /** How often it has been started anew. */
  repeats: number
  /**
   * Place of the stage it is in. Not a getter: V8 would keep the getter of each run in a map of its
   * own in the old generation, and with it everything the run holds.
   */
  stageIndex(): number
  isOver(): boolean
  /** Runs when it is over, whatever the reason. */
  onEnd(action: () => void): void
  /** Forgets what an attempt that came to nothing had reported. */
  restart(): void
  receiveResults(report: RunReport): void
  receiveLogs(stageIndex: number, json: string): void
  /** Ends it with what it has; the stage it was in failed with `error`. */
  fail(error: GatewayError): void
}

/** Epoch milliseconds with fractions. */
export const clock = () => performance.timeOrigin + performance.now()

/** Collects what the isolate reports about one entry. */
export const createEntryRun = (entry: ScriptEntry, group: ScriptGroup): EntryRun =>
  new CollectedRun(entry, group)

/** A class: one is made for every entry, and its closures would cost as much as the entry's share. */
class CollectedRun implements EntryRun {
  readonly entry: ScriptEntry
  readonly group: ScriptGroup
  readonly settled: Promise<ScriptResult[]>
  key = 0
  startedAt = 0
  hasCalled = false
  repeats = 0
  #resolve: (results: ScriptResult[]) => void
  #endings: (() => void)[] | undefined
  #results: ScriptResult[] = []
  #logs: ScriptLog[] = []
  #isOver = false

  constructor(entry: ScriptEntry, group: ScriptGroup) {
    const { promise, resolve } = Promise.withResolvers<ScriptResult[]>()
    this.entry = entry
    this.group = group
    this.settled = promise
    this.#resolve = resolve
  }

  stageIndex() {
    return this.#results.length
  }

  isOver() {
    return this.#isOver
  }

  onEnd(action: () => void) {
    if (this.#endings) this.#endings.push(action)
    else this.#endings = [action]
  }

  restart() {
    this.#results = []
    this.#logs = []
    this.startedAt = 0
    this.repeats++
  }

  receiveResults({ isFinal, stages }: RunReport) {
    if (this.#isOver) return
    for (const stage of stages) {
      if (stage.logs) this.receiveLogs(stage.index, stage.logs)
      const { startTime, endTime, returned } = stage
      const result: ScriptResult = {
        stageId: this.#stageIdAt(stage.index),
        context: stage.changes(this.#contextNow()),
        returned,
        startTime,
        endTime,
        logs: this.#takeLogs(),
      }
      if (stage.error) result.error = this.#errorOf(stage.index, stage.error)
      this.#results.push(result)
    }
    if (isFinal) this.#end()
  }

  receiveLogs(stageIndex: number, json: string) {
    if (this.#isOver) return
    this.#logs.push(...readLogs(this.#stageIdAt(stageIndex), json, this.#sources()))
  }

  fail(error: GatewayError) {
    if (this.#isOver) return
    const endTime = clock()
    this.#results.push({
      stageId: this.#stageIdAt(this.#results.length),
      context: this.#contextNow(),
      returned: undefined,
      startTime: this.#results.at(-1)?.endTime ?? (this.startedAt || endTime),
      endTime,
      error,
      logs: this.#takeLogs(),
    })
    this.#end()
  }

  #takeLogs() {
    const taken = this.#logs
    if (taken.length > 0) this.#logs = []
    return taken
  }

  #contextNow() {
    return this.#results.at(-1)?.context ?? this.entry.context
  }

  #end() {
    this.#isOver = true
    if (this.#endings) for (const action of this.#endings) action()
    this.#resolve(this.#results)
  }

  #stageIdAt(index: number): string {
    return this.entry.stages[index]?.stageId ?? ''
  }

  #sources() {
    return this.group.scripts.map(({ source }) => source)
  }

  #errorOf(index: number, error: ThrownText) {
    const stageId = this.#stageIdAt(index)
    const script = this.group.scripts[index]
    if (script?.problem) return script.problem
    if (error.invalidResult !== undefined)
      return errors.scriptResultInvalid(`Stage "${stageId}": ${error.invalidResult}`, {
        stageId,
        ...(script && { source: positionOf(script) }),
      })
    const { frames, source } = readStack(error.stack, this.#sources())
    const text = error.isError
      ? `${error.name ?? 'Error'}: ${error.message}`
      : (error.message ?? 'unknown')
    if (isAllocationFailure(text))
      return errors.scriptMemory(`${text}: its isolate has no more (limits.scriptMemoryMb)`, {
        stageId,
        source,
        frames,
      })
    return errors.scriptThrew(text, { stageId, source, frames })
  }
}

const positionOf = ({ source: { file, line, column } }: CompiledScript) => ({ file, line, column })

/** One block too large for the heap limit; many small ones end the isolate instead. */
const isAllocationFailure = (text: string) => text === 'RangeError: Array buffer allocation failed'
