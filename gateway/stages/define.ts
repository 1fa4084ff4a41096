import type { z } from 'zod'
import type { Context } from '../contract/context.ts'
import type { StopSignal } from '../stop-signal.ts'

/** A request to send, and what came back. Bodies are strings. */
export interface OutboundRequest {
  method: string
  /** Absolute for `fetch`; path and query for `sendToEngine`. */
  url: string
  headers: Record<string, string>
  body: string
}

/** All a stage may touch outside its context. The runtime provides it: a stage imports no I/O. */
export interface StageServices {
  /** Aborted when the run or the stage is; its reason is the error the run ends with. */
  readonly signal: StopSignal
  readonly stageId: string
  readonly async: boolean
  readonly route: {
    category?: string
    acl?: string
    indices: readonly string[]
    clientIp: string
    /** Shown in declarative answers; absent on the built-in routes. */
    pipelineId?: string
  }
  /** Sends to the connected engine. An answer of any status is a response, not an error. */
  sendToEngine(request: OutboundRequest): Promise<Context['response']>
  /** Sends anywhere the outbound rules allow (decisions.md 26). */
  fetch(request: OutboundRequest): Promise<Context['response']>
}

/** The keys a stage changed. `request`, `response` and `envs` may be partial, too. */
export interface ContextChanges {
  request?: Partial<Context['request']>
  response?: Partial<Context['response']>
  envs?: Context['envs']
  [key: string]: unknown
}

/** What a stage did. */
export interface StageOutcome {
  /** Laid over the context of a synchronous run. */
  changes?: ContextChanges
  /** What an asynchronous run puts at `context[<stage id>]`, usually a body text. */
  output?: unknown
  /** True ends the pipeline with the current response, as an answer of status 400 or more does. */
  end?: boolean
}

/** One pre-built stage: what it is called, what it takes, what it does. */
export interface StageDefinition<Inputs extends z.ZodType = z.ZodType> {
  /** The name a pipeline writes after `use:`. */
  readonly use: string
  readonly summary: string
  readonly inputs: Inputs
  /** Whether `async: true` is honoured; else the stage runs synchronously. */
  readonly mayBeAsync?: boolean
  /** `guard`: runs before every other stage wherever it stands (decisions.md 18). */
  readonly position?: 'guard'
  /** The category every route must have for this stage to make sense. */
  readonly needsCategory?: string
  /** Never mutates `context`. */
  run(
    context: Context,
    inputs: z.output<Inputs>,
    services: StageServices,
  ): StageOutcome | Promise<StageOutcome>
}

/** Declares a pre-built stage: types `run` from `inputs`, and freezes the result. */
export const defineStage = <Inputs extends z.ZodType>(stage: StageDefinition<Inputs>) =>
  Object.freeze(stage)
