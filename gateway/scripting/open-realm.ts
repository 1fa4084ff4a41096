import { randomBytes } from 'node:crypto'
import ivm from 'isolated-vm'
import { type CompiledScript, scriptSyntax } from './compiled-script.ts'
import { MARKS } from './realm/kernel.ts'
import { heapOfLibraries, librarySnapshot } from './libraries/snapshots.ts'
import { REALM_FILE } from './realm/file-name.ts'
import { realmSource } from './realm/source.ts'
import { withYoungGeneration } from './young-generation.ts'
import { engineName } from './script-place.ts'
import { scriptStore } from './script-store.ts'

/** How an entry ended; `overrun` and `dead` leave runs behind that have reported nothing. */
export interface EntryOutcome {
  kind: 'done' | 'overrun' | 'dead'
  /** What went by on the wall. */
  elapsedMs: number
  /** Of an overrun on this thread: at most so much of it was processor time. */
  cpuMs?: number
  /** Where the code was that ran out of time. */
  stack?: string
}

/** One isolate with the scripts of one program in it. Enter it from one place at a time only. */
export interface Realm {
  addGroup(index: number, json: string): void
  /** On this thread: nothing else runs until it is over. */
  enterNow(values: readonly unknown[], timeoutMs: number): EntryOutcome
  /** On the thread pool. */
  enterLater(
    values: readonly unknown[],
    limits: { timeoutMs: number; isAlone: boolean },
  ): Promise<EntryOutcome>
  /** The run and the stage whose code is executing; the run is 0 between them. */
  inside(): { run: number; stage: number }
  dispose(): void
}

/** Makes an isolate off the main thread. Reports arrive while an entry is under way. */
export async function openRealm(options: {
  memoryMb: number
  scripts: readonly CompiledScript[]
  onReport: (values: readonly unknown[]) => void
}): Promise<Realm> {
  const libraries = [...new Set(options.scripts.flatMap((script) => script.libraries))]
  const snapshot = libraries.length > 0 ? await librarySnapshot(libraries) : undefined
  const memoryLimit = Math.max(8, options.memoryMb) + heapOfLibraries(libraries)
  const isolate = withYoungGeneration(
    options.memoryMb,
    () => new ivm.Isolate({ memoryLimit, ...(snapshot && { snapshot }) }),
  )
  const memory = new SharedArrayBuffer(8)
  const marks = new Int32Array(memory)
  const report = (...values: unknown[]) => options.onReport(values)

  const context = await isolate.createContext()
  const bootstrap = await isolate.compileScript(realmSource, { filename: REALM_FILE })
  const makeKernel = await bootstrap.run(context, { reference: true })
  const kernel: ivm.Reference = await makeKernel.apply(
    undefined,
    [
      new ivm.Callback(report),
      new ivm.Callback(report, { ignored: true }),
      new ivm.Callback((count: number) => randomBytes(count).toString('latin1')),
      new ivm.ExternalCopy(memory).copyInto(),
      new ivm.Callback((key: string) => scriptStore.get(key)),
    ],
    { result: { reference: true } },
  )
  const [enter, addGroup, addScript] = await Promise.all(
    ['enter', 'addGroup', 'addScript'].map((name) => kernel.get(name, { reference: true })),
  )
  if (!enter || !addGroup || !addScript) throw new Error('the kernel lacks an entry')

  for (const [index, script] of options.scripts.entries()) {
    if (script.problem) continue
    const { wrapped, columnOffset, source, bindings } = script
    const { filename, firstLine } = engineName(source)
    try {
      const compiled = await isolate.compileScript(wrapped, {
        filename,
        lineOffset: firstLine - 1,
        columnOffset,
      })
      const body = await compiled.run(context, { reference: true })
      await addScript.apply(undefined, [index, bindings.join(','), body.derefInto()])
    } catch (cause) {
      script.problem = syntaxFromEngine(script, cause)
    }
  }

  const outcomeOf = (startedAt: number, cause?: unknown): EntryOutcome => {
    const elapsedMs = performance.now() - startedAt
    if (isolate.isDisposed) return { kind: 'dead', elapsedMs }
    if (cause instanceof Error && cause.message === 'Script execution timed out.')
      return { kind: 'overrun', elapsedMs, stack: cause.stack }
    // Any other failure: a promise that nobody waits for was rejected; the entry itself is over.
    return { kind: 'done', elapsedMs }
  }

  return {
    addGroup: (index, json) => void addGroup.applySync(undefined, [index, json]),
    enterNow(values, timeoutMs) {
      marks[MARKS.run] = 0
      const startedAt = performance.now()
      if (startedAt - cpuReadAt > CPU_READ_EVERY_MS) {
        cpuReadAt = startedAt
        cpuMillis = threadMillis()
      }
      try {
        enter.applySync(undefined, [false, false, ...values], { timeout: timeoutMs })
        return outcomeOf(startedAt)
      } catch (cause) {
        const outcome = outcomeOf(startedAt, cause)
        return outcome.kind === 'overrun'
          ? { ...outcome, cpuMs: threadMillis() - cpuMillis }
          : outcome
      }
    },
    async enterLater(values, { timeoutMs, isAlone }) {
      marks[MARKS.run] = 0
      const startedAt = performance.now()
      try {
        await enter.apply(undefined, [true, isAlone, ...values], { timeout: timeoutMs })
        return outcomeOf(startedAt)
      } catch (cause) {
        return outcomeOf(startedAt, cause)
      }
    },
    inside: () => ({ run: marks[MARKS.run] ?? 0, stage: marks[MARKS.stage] ?? 0 }),
    dispose() {
      if (!isolate.isDisposed) isolate.dispose()
    },
  }
}

/** What the engine refuses although the parser accepted it; it ends its message with the place. */
function syntaxFromEngine({ source }: CompiledScript, cause: unknown) {
  if (!(cause instanceof SyntaxError)) throw cause
  const place = / \[.*:(\d+):(\d+)\]$/.exec(cause.message)
  const { firstLine } = engineName(source)
  return scriptSyntax(source, cause.message.replace(/ \[[^\]]*\]$/, ''), {
    line: Number(place?.[1] ?? firstLine) - firstLine + 1,
    column: Number(place?.[2] ?? 1),
  })
}

/** Reading the processor time is a system call: its last value is good enough for a bound. */
const CPU_READ_EVERY_MS = 2
let cpuReadAt = -Infinity
let cpuMillis = 0

/** Processor time of this thread in milliseconds. */
function threadMillis(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
