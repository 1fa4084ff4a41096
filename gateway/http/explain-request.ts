import type { ExplainRequest, RequestExplanation } from '../contract/explain.ts'
import type { Matcher } from '../pipeline/match.ts'
import type { RequestFacts } from '../pipeline/request-facts.ts'
import type { StageDefinition } from '../stages/define.ts'
import { isSecretHeader, type Mask, MASKED, maskAll } from '../trace/masking.ts'
import type { ServedPipelines } from './pipeline-endpoint.ts'

/** What the explanation of a request is made from. */
interface ExplainServices {
  pipelines(): ServedPipelines
  builtIn: Matcher<StageDefinition>
  mask: Mask
}

/** Tells which pipeline would take a request and why; nothing runs, and secrets are masked. */
export function explainRequest(
  asked: ExplainRequest,
  { pipelines, builtIn, mask }: ExplainServices,
): RequestExplanation {
  const request = toFacts(asked)
  const { matcher, envs } = pipelines()
  const maskOwn = withCredentials(request, mask)
  const candidates = matcher.explain(request, envs, maskOwn)
  const taken = candidates.find(({ outcome }) => outcome === 'taken')
  return maskAll<RequestExplanation>(
    taken
      ? { takenBy: 'pipeline', pipelineId: taken.pipelineId, candidates }
      : { takenBy: builtIn.match(request) ? 'builtIn' : 'none', candidates },
    maskOwn,
  )
}

function toFacts({ method, path, headers, body, clientIp }: ExplainRequest): RequestFacts {
  const joined: Record<string, string> = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    joined[key] = joined[key] === undefined ? value : `${joined[key]}, ${value}`
  }
  return {
    method: method.toUpperCase(),
    url: path.startsWith('/') ? path : `/${path}`,
    headers: joined,
    body,
    clientIp: clientIp ?? '127.0.0.1',
    isTls: false,
  }
}

/** Also hides the values of the request's own credentials, wherever they turn up. */
function withCredentials({ headers }: RequestFacts, mask: Mask): Mask {
  const secrets = Object.entries(headers)
    .filter(([name, value]) => isSecretHeader(name) && value.length >= 4)
    .map(([, value]) => value)
  return (text) => mask(secrets.reduce((hidden, one) => hidden.replaceAll(one, MASKED), text))
}
