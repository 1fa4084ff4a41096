import type { z } from 'zod'
import type { Context } from '../../gateway/contract/context.ts'
import type {
  OutboundRequest,
  StageDefinition,
  StageServices,
} from '../../gateway/stages/define.ts'

/** A context with the given parts; the rest is empty. */
export const makeContext = ({
  request,
  response,
  envs = {},
}: {
  request?: Partial<Context['request']>
  response?: Partial<Context['response']>
  envs?: Context['envs']
} = {}): Context => ({
  request: { method: 'POST', url: '/', headers: {}, body: '', ...request },
  response: { code: 200, headers: {}, body: '', ...response },
  envs,
})

/** What a stage is given, with calls that go over real sockets; `engine` is its address. */
export function makeServices(
  route: Partial<StageServices['route']> = {},
  { engine = '', isAsync = false }: { engine?: string; isAsync?: boolean } = {},
): StageServices {
  return {
    signal: new AbortController().signal,
    stageId: 'stage',
    async: isAsync,
    route: { indices: [], clientIp: '127.0.0.1', ...route },
    sendToEngine: (request) => send({ ...request, url: engine + request.url }),
    fetch: send,
  }
}

async function send({ method, url, headers, body }: OutboundRequest) {
  const answer = await fetch(url, { method, headers, ...(body && { body }) })
  return {
    code: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: await answer.text(),
  }
}

/** Runs a stage and lays its changes over the context, as the runtime does. */
export async function runStage<Inputs extends z.ZodType>(
  stage: StageDefinition<Inputs>,
  context: Context,
  inputs: z.input<Inputs>,
  services = makeServices(),
) {
  const { changes = {}, ...outcome } = await stage.run(
    context,
    stage.inputs.parse(inputs),
    services,
  )
  return {
    ...outcome,
    request: { ...context.request, ...changes.request },
    response: { ...context.response, ...changes.response },
    envs: { ...context.envs, ...changes.envs },
  }
}
