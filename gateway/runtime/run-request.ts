import type { Context } from '../contract/context.ts'
import type { Limits } from '../contract/limits.ts'
import type { GatewayError } from '../errors.ts'
import type { RouteMatch } from '../pipeline/match.ts'
import type { RequestFacts } from '../pipeline/request-facts.ts'
import type { ScriptFetchReply, ScriptFetchRequest, ScriptProgram } from '../scripting/sandbox.ts'
import type { OutboundRequest, StageDefinition } from '../stages/define.ts'
import type { StopSignal } from '../stop-signal.ts'
import type { RunObserver, RunTally } from './observer.ts'

/** The ways out of a run. Each call is told when to give up. */
export interface RunServices {
  /** Sends to the connected engine; any status is an answer. `note` tells the trace of a wait. */
  sendToEngine(
    request: OutboundRequest,
    signal: StopSignal,
    note: (text: string) => void,
  ): Promise<Context['response']>
  /** Sends anywhere the outbound rules allow. */
  fetch(request: OutboundRequest, signal: StopSignal): Promise<Context['response']>
  /** The same for a script's `fetch`, which also handles redirects. */
  scriptFetch(request: ScriptFetchRequest, signal: StopSignal): Promise<ScriptFetchReply>
}

/** What a run may take. Every limit that is hit is named in the error. */
export type RunLimits = Pick<Limits, 'scriptMs' | 'stageMs' | 'runMs' | 'backgroundMs' | 'calls'>

/** One request that a pipeline has taken. */
export interface RunRequest {
  runId: string
  match: RouteMatch<StageDefinition>
  /** Its body must have been read. */
  request: RequestFacts
  /** The compiled scripts of the plan; only a plan without scripts does without. */
  program?: ScriptProgram
  services: RunServices
  /** Global envs, overlaid with those of the selected environment. */
  envs?: Readonly<Record<string, unknown>>
  observers?: readonly RunObserver[]
  /** Told once, when everything is done. Costs a run far less than an observer would. */
  tally?(tally: RunTally): void
  /** Aborts when the client hangs up; ignored once the answer is there. */
  signal?: StopSignal
  /** The usual ones when left out. */
  limits?: RunLimits
}

/** The answer of a run. */
export interface RunResult {
  /** What the client gets, an error's body included. */
  response: Context['response']
  /** What the run failed with, if it failed. */
  error?: GatewayError
  /** Stages whose failure was continued, in list order. */
  continued: readonly string[]
  /** Settles, never rejecting, when the stages in the background are done, too; absent without any. */
  background?: Promise<void>
}
