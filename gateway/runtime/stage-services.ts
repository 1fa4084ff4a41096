import type { Context } from '../contract/context.ts'
import { errors } from '../errors.ts'
import type { PlannedStage } from '../pipeline/plan.ts'
import type { ScriptFetchReply, ScriptFetchRequest, ScriptHost } from '../scripting/sandbox.ts'
import type { OutboundRequest, StageServices } from '../stages/define.ts'
import { Stopper } from '../stop-signal.ts'
import { now } from './clock.ts'
import type { CallMoment } from './observer.ts'
import type { RunState } from './run-state.ts'

/** What a stage is given, and the way to abort what it asked for. */
export function toStageServices(state: RunState, stage: PlannedStage) {
  const signal = new Stopper()
  const { services, request, match } = state.request
  const { route, indices } = match
  const stageServices: StageServices = {
    signal,
    stageId: stage.id,
    async: stage.async,
    route: {
      category: route.category ?? request.category,
      acl: route.acl ?? request.acl,
      indices,
      clientIp: request.clientIp,
      pipelineId: match.plan.pipelineId,
    },
    sendToEngine: (outbound) =>
      watchCall(state, stage.id, outbound, () =>
        services.sendToEngine(outbound, signal, (text) => note(state, stage.id, text)),
      ),
    fetch: (outbound) =>
      watchCall(state, stage.id, outbound, () => services.fetch(outbound, signal)),
  }
  return { services: stageServices, abort: (reason: unknown) => signal.abort(reason) }
}

/** Puts a line of the gateway's own among a stage's logs. */
function note(state: RunState, stageId: string, text: string) {
  const { runId } = state.request
  const values = [{ kind: 'text' as const, text }]
  for (const observer of state.observers)
    observer.log?.({ runId, stageId, level: 'info', values, at: now() })
}

/** What scripts of a run are given. */
export const toScriptHost = (state: RunState): ScriptHost => ({
  async fetch(request: ScriptFetchRequest, stageId, signal): Promise<ScriptFetchReply> {
    let reply: ScriptFetchReply | undefined
    await watchCall(state, stageId, request, async () => {
      reply = await state.request.services.scriptFetch(request, signal)
      return { code: reply.status, headers: reply.headers, body: reply.body }
    })
    if (!reply) throw errors.internal('A call ended without an answer and without an error')
    return reply
  },
})

/** Counts a call against the run's limit and tells observers when it starts and ends. */
function watchCall(
  state: RunState,
  stageId: string,
  request: OutboundRequest,
  call: () => Promise<Context['response']>,
): Promise<Context['response']> {
  const callId = ++state.calls
  if (callId > state.limits.calls)
    return Promise.reject(
      errors.callLimit(
        `Stage "${stageId}" asked for call ${callId}; one run may send ${state.limits.calls} requests (limits.calls)`,
        { stageId },
      ),
    )
  return state.observers.length === 0 ? call() : tellOf(state, { stageId, callId, request }, call)
}

async function tellOf(
  { observers, request: { runId } }: RunState,
  { request: { method, url, headers, body }, ...facts }: Omit<CallMoment, 'runId' | 'at'>,
  call: () => Promise<Context['response']>,
): Promise<Context['response']> {
  const moment = (): CallMoment => ({
    runId,
    ...facts,
    at: now(),
    request: { method, url, headers, body },
  })
  for (const observer of observers) observer.callStarted?.(moment())
  try {
    const response = await call()
    for (const observer of observers) observer.callEnded?.({ ...moment(), response })
    return response
  } catch (failure) {
    const error = failure instanceof Error ? failure.message : String(failure)
    for (const observer of observers) observer.callEnded?.({ ...moment(), error })
    throw failure
  }
}
