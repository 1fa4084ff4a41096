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
export function createEntryRun(entry: ScriptEntry, group: ScriptGroup): EntryRun {
  const { promise, resolve } = Promise.withResolvers<ScriptResult[]>()
  const sources = group.scripts.map(({ source }) => source)
  const endings: (() => void)[] = []
  let results: ScriptResult[] = []
  let logs: ScriptLog[] = []
  let over = false

  const takeLogs = () => {
    const taken = logs
    logs = []
    return taken
  }
  const contextNow = () => results.at(-1)?.context ?? entry.context
  const end = () => {
    over = true
    for (const action of endings) action()
    resolve(results)
  }

  const run: EntryRun = {
    entry,
    group,
    settled: promise,
    key: 0,
    startedAt: 0,
    hasCalled: false,
    repeats: 0,
    stageIndex: () => results.length,
    isOver: () => over,
    onEnd: (action) => void endings.push(action),
    restart() {
      results = []
      logs = []
      run.startedAt = 0
      run.repeats++
    },
    receiveResults({ isFinal, stages }) {
      if (over) return
      for (const stage of stages) {
        if (stage.logs) logs.push(...readLogs(stageIdAt(stage.index), stage.logs, sources))
        const context = contextNow()
        const { startTime, endTime, returned } = stage
        results.push({
          stageId: stageIdAt(stage.index),
          context: stage.changes(context),
          returned,
          startTime,
          endTime,
          logs: takeLogs(),
          ...(stage.error && { error: errorOf(stage.index, stage.error) }),
        })
      }
      if (isFinal) end()
    },
    receiveLogs(stageIndex, json) {
      if (!over) logs.push(...readLogs(stageIdAt(stageIndex), json, sources))
    },
    fail(error) {
      if (over) return
      const stageId = stageIdAt(results.length)
      const endTime = clock()
      const startTime = results.at(-1)?.endTime ?? (run.startedAt || endTime)
      const context = contextNow()
      const result = { stageId, context, returned: undefined, startTime, endTime, error }
      results.push({ ...result, logs: takeLogs() })
      end()
    },
  }
  return run

  function stageIdAt(index: number): string {
    return entry.stages[index]?.stageId ?? ''
  }

  function errorOf(index: number, error: ThrownText) {
    const stageId = stageIdAt(index)
    const script = group.scripts[index]
    if (script?.problem) return script.problem
    if (error.invalidResult !== undefined)
      return errors.scriptResultInvalid(`Stage "${stageId}": ${error.invalidResult}`, {
        stageId,
        ...(script && { source: positionOf(script) }),
      })
    const { frames, source } = readStack(error.stack, sources)
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
