import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { usualLimits } from '../../gateway/contract/limits.ts'
import { errors } from '../../gateway/errors.ts'
import { createMatcher } from '../../gateway/pipeline/match.ts'
import { parsePipeline } from '../../gateway/pipeline/parse-pipeline.ts'
import { compilePlan } from '../../gateway/pipeline/plan.ts'
import type { RunObserver } from '../../gateway/runtime/observer.ts'
import { executeRun } from '../../gateway/runtime/run.ts'
import type { RunLimits, RunRequest, RunServices } from '../../gateway/runtime/run-request.ts'
import {
  type ContextChanges,
  defineStage,
  type StageDefinition,
} from '../../gateway/stages/define.ts'
import { toAbortSignal } from '../../gateway/stop-signal.ts'

/** Stages that do what their inputs say, so that a test reads as one piece of YAML. */
const kinds: StageDefinition[] = [
  defineStage({
    use: 'guard',
    summary: '-',
    position: 'guard',
    inputs: z.object({ refuse: z.boolean().optional() }),
    run: (_context, { refuse }) => {
      if (refuse) throw errors.unauthorized('no entry')
      return {}
    },
  }),
  defineStage({
    use: 'set',
    summary: '-',
    inputs: z.object({ code: z.number().optional(), end: z.boolean().optional() }).loose(),
    run: (_context, { code, end, ...keys }) => ({
      changes: { ...keys, ...(code !== undefined && { response: { code } }) } as ContextChanges,
      ...(end && { end }),
    }),
  }),
  defineStage({
    use: 'say',
    summary: 'Appends to the answer which keys of the context can be seen',
    inputs: z.object({ keys: z.string() }),
    run: ({ response, ...rest }, { keys }) => ({
      changes: {
        response: {
          body:
            response.body +
            keys
              .split(',')
              .map((key) => `${key}=${String(rest[key])};`)
              .join(''),
        },
      },
    }),
  }),
  defineStage({
    use: 'slow',
    summary: '-',
    mayBeAsync: true,
    inputs: z
      .object({ ms: z.number(), output: z.unknown(), changes: z.unknown(), fail: z.string() })
      .partial(),
    run: async (_context, { ms = 1, output, changes, fail }, { signal }) => {
      await sleep(ms, undefined, { signal: toAbortSignal(signal) })
      if (fail) throw new Error(fail)
      return { output, changes: changes as ContextChanges }
    },
  }),
  defineStage({
    use: 'call',
    summary: '-',
    mayBeAsync: true,
    inputs: z.object({ times: z.number() }),
    run: async (_context, { times }, services) => {
      for (let left = times; left > 0; left--)
        await services.sendToEngine({ method: 'GET', url: '/', headers: {}, body: '' })
      return {}
    },
  }),
]

/** What every call of a stage is answered. */
export const answer = { code: 200, headers: {}, body: '{}' }
/** Ways out of a run that lead nowhere. */
export const services: RunServices = {
  sendToEngine: () => Promise.resolve(answer),
  fetch: () => Promise.resolve(answer),
  scriptFetch: () => Promise.reject(new Error('no script here')),
}

/** Runs the stages of a YAML list; `events` tell what happened, one line a moment. */
export async function runStages(
  stages: string,
  options: Partial<Omit<RunRequest, 'limits'>> & {
    head?: string
    limits?: Partial<RunLimits>
  } = {},
) {
  const { head = '', limits, ...rest } = options
  const text = `${head}\nroutes: [{path: '/a/{index}/b', method: POST}]\nstages:\n${stages}`
  const { definition, sources, diagnostics } = parsePipeline(
    { path: 'p.yaml', text },
    { stages: kinds, resolveScript: () => ({ candidates: [] }) },
  )
  if (!definition) throw new Error(diagnostics[0]?.message)
  const request = {
    method: 'POST',
    url: '/a/x,y/b?q=1&q=2',
    headers: { host: 'h', referer: 'r', authorization: 'Basic secret' },
    body: '',
    clientIp: '::ffff:10.0.0.1',
    isTls: false,
    ...rest.request,
  }
  const match = createMatcher([compilePlan({ definition, sources }, kinds)]).match(request)
  if (!match || match === 'needsBody') throw new Error('no match')
  const events: string[] = []
  const result = await executeRun({
    runId: 'run',
    match,
    services,
    observers: [listen(events), ...(rest.observers ?? [])],
    ...rest,
    ...(limits && { limits: { ...usualLimits, ...limits } }),
    request,
  })
  return { ...result, events, body: result.response.body }
}

const listen = (events: string[]): RunObserver => ({
  stageWaiting: ({ stageId }) => events.push(`${stageId} waits`),
  beforeStage: ({ stageId }) => void events.push(`${stageId} begins`),
  afterStage: ({ stageId, droppedWrites }) =>
    events.push([`${stageId} ok`, ...droppedWrites].join(' ')),
  stageFailed: ({ stageId, error, continued, cancelled }) =>
    events.push(
      `${stageId} ${cancelled ? 'cancelled' : continued ? 'continued' : 'failed'} ${error.code}`,
    ),
  stageSkipped: ({ stageId, status, reason }) => events.push(`${stageId} ${status}: ${reason}`),
  responseReady: ({ response }) => events.push(`answer ${response.code}`),
  runEnded: () => events.push('end'),
})
