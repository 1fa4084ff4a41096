import type { Context } from '../contract/context.ts'
import { AnswerPlan, withoutUnsent } from '../declarative/answer-plan.ts'
import { foldResponses } from '../declarative/respond/fold-responses.ts'
import { errors } from '../errors.ts'
import { aliasesAskedFor } from './aliases-asked-for.ts'
import type { OutboundRequest, StageServices } from './define.ts'
import { sendCall } from './engine-call.ts'
import { askEndpoints } from './ask-endpoints.ts'

/** One `_msearch` whose answers are to be found by query id. */
export interface AskById {
  context: Context
  call: OutboundRequest
  /** JSON list of endpoint queries; by default what declarativeQuery left in the envs. */
  independentBody?: string
  services: StageServices
}

/**
 * Asks the engine and all endpoints at once, and folds the answers. An answer that is no JSON (an
 * error page of a proxy) stays what it is.
 */
export async function askByQueryId({ context, call, independentBody, services }: AskById) {
  const plan = AnswerPlan.safeParse(context.envs.RS_ANSWER_PLAN).data
  if (!plan)
    throw errors.stageFailed(
      'Nothing was translated that answers could be sorted by: put declarativeQuery before this ' +
        'stage, or set parseResponseToReactivesearch to false',
    )
  const [answer, endpoints] = await Promise.all([
    call.body.trim() === '' ? NOTHING_TO_ASK : sendCall(call, services),
    askEndpoints(independentBody ?? context.envs.INDEPENDENT_REQUESTS, services),
  ])
  if (!answer.body.trimStart().startsWith('{')) return answer
  const aliasByIndex = await aliasesAskedFor(answer.body, services)
  const body = foldResponses(answer.body, withoutUnsent(plan, call.body), {
    endpoints,
    aliasByIndex,
    pipelineId: services.route.pipelineId,
  })
  const { 'content-length': _old, ...headers } = answer.headers
  return { ...answer, headers, body }
}

/** The engine refuses an empty `_msearch`; a request of endpoint queries only is one. */
const NOTHING_TO_ASK: Context['response'] = {
  code: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: '{"took":0,"responses":[]}',
}
