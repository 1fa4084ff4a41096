import type { GatewayError } from '../errors.ts'
import type { StopSignal } from '../stop-signal.ts'

/**
 * One script of a pipeline. `line` and `column` (1-based) say where `text` begins in `file`; every
 * further line begins at the same column, as in an indented block of YAML. Where it does not, as in
 * a quoted text, `places` has the pieces: offset in `text`, line and column in `file`, ascending.
 */
export interface ScriptSource {
  stageId: string
  file: string
  line: number
  column: number
  text: string
  places?: readonly (readonly [offset: number, line: number, column: number])[]
  /** Its stage runs asynchronously. */
  async?: boolean
}

/** A mistake found when a script is compiled; positions are those of the user's file. */
export interface ScriptProblem {
  stageId: string
  severity: 'error' | 'warning'
  code: string
  message: string
  file: string
  line: number
  column: number
}

/** One console entry; values as contract/trace.ts LogEntry wants them. */
export interface ScriptLog {
  stageId: string
  level: 'debug' | 'log' | 'info' | 'warn' | 'error'
  values: { kind: 'json' | 'text'; text: string }[]
  at: number
  source?: { file: string; line: number; column: number }
}

export interface ScriptFetchRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  redirect: 'follow' | 'manual' | 'error'
}

export interface ScriptFetchReply {
  status: number
  statusText: string
  headers: Record<string, string>
  body: string
  redirected: boolean
  url: string
}

/** What scripts may ask of the host during one run. */
export interface ScriptHost {
  fetch(request: ScriptFetchRequest, stageId: string, signal: StopSignal): Promise<ScriptFetchReply>
}

/** The context as scripts see it: request, response, envs and whatever stages added. */
export type ScriptContext = Readonly<Record<string, unknown>>

/** One script stage of an entry. */
export interface EntryStage {
  stageId: string
  continueOnError: boolean
  /** Asks for `returned`; only then may the script return something that is no object. */
  async?: boolean
}

/** One entry: a run's consecutive script stages, which the implementation may fuse. */
export interface ScriptEntry {
  runId: string
  context: ScriptContext
  /**
   * Run in this order; each sees what the one before it changed. The same list for the same stages
   * saves looking them up again.
   */
  stages: readonly EntryStage[]
  /** `timeoutName` is what the message of a script beyond `timeoutMs` calls that limit. */
  limits: { timeoutMs: number; timeoutName: string }
  /**
   * False when nobody looks at single stages: their times are whole milliseconds, and all results
   * but the last may carry the context of the entry. Cheaper.
   */
  isWatched?: boolean
  /** When it aborts the entry ends with its reason; the script's own execution is terminated. */
  signal: StopSignal
  host: ScriptHost
}

/** What one script stage did. Entries after a failure that stops the run are left out. */
export interface ScriptResult {
  stageId: string
  /** The context after this stage. Untouched top-level values are the very same objects as before. */
  context: ScriptContext
  /** Only for stages entered as `async`: what handleRequest returned, before any merge. */
  returned: unknown
  startTime: number
  endTime: number
  error?: GatewayError
  logs: ScriptLog[]
}

/** The compiled scripts of one pipeline version. */
export interface ScriptProgram {
  /** @returns one result per stage that began; never rejects for what a script does. */
  run(entry: ScriptEntry): Promise<ScriptResult[]>
  dispose(): void
}

/** Runs user scripts. One implementation per script engine; nothing else imports that engine. */
export interface Sandbox {
  /** Finds syntax errors and questionable habits without running anything. */
  check(script: ScriptSource): ScriptProblem[]
  /** Cheap: nothing is compiled until the first run. */
  load(scripts: readonly ScriptSource[], limits: { memoryMb: number }): ScriptProgram
  /** Isolates that are open, and runs that wait for one. */
  state(): { isolates: number; waitingScripts: number }
  close(): void
}
