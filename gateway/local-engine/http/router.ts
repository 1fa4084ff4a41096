import { editDistance } from '../query/suggest.ts'
import { EngineFailure, failures, unsupported } from '../errors.ts'
import { EVERYWHERE, type EndpointDefinition } from '../features/define.ts'
import { REFUSED_ENDPOINTS, REFUSED_PATHS } from '../features/refused.ts'

/** The endpoint of a request and what its path says. */
export interface Route {
  readonly endpoint: EndpointDefinition
  readonly pathParameters: Readonly<Record<string, string>>
}

/** A path nobody answers, or not with this method: errors of another shape than all others. */
export class NoRoute extends Error {
  readonly status: number
  readonly allowed: readonly string[]

  constructor(status: number, message: string, allowed: readonly string[] = []) {
    super(message)
    this.name = 'no_route'
    this.status = status
    this.allowed = allowed
  }
}

interface Template {
  readonly segments: readonly string[]
  readonly endpoints: Map<string, EndpointDefinition>
}

/** The order in which the engine lists them. */
const METHODS = ['GET', 'POST', 'DELETE', 'HEAD', 'PUT']

const isVariable = (segment: string) => segment.startsWith('{')

/** Finds the endpoint of a method and path: the template with the most fixed segments first. */
export function createRouter(endpoints: readonly EndpointDefinition[]) {
  const templates = new Map<string, Template>()
  for (const endpoint of endpoints)
    for (const path of endpoint.paths) {
      let template = templates.get(path)
      if (!template) {
        template = { segments: path.split('/').slice(1), endpoints: new Map() }
        templates.set(path, template)
      }
      for (const method of endpoint.methods) template.endpoints.set(method, endpoint)
    }
  const ordered = [...templates.values()].toSorted(
    (a, b) => a.segments.filter(isVariable).length - b.segments.filter(isVariable).length,
  )

  const matches = ({ segments }: Template, path: readonly string[]) =>
    segments.length === path.length &&
    segments.every((segment, i) => (isVariable(segment) ? path[i] !== '' : segment === path[i]))

  return (method: string, path: string): Route => {
    const segments = (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path)
      .split('/')
      .slice(1)
      .map(decode)
    const fitting = ordered.filter((template) => matches(template, segments))
    for (const { segments: names, endpoints } of fitting) {
      const endpoint =
        endpoints.get(method) ?? (method === 'HEAD' ? endpoints.get('GET') : undefined)
      if (!endpoint) continue
      // What begins with an underscore is no index: it is an endpoint we do not have.
      if (isVariable(names[0] ?? '')) refuseKnown(segments.slice(0, 1))
      return {
        endpoint,
        pathParameters: Object.fromEntries(
          names.flatMap((name, i) =>
            isVariable(name) ? [[name.slice(1, -1), segments[i] ?? '']] : [],
          ),
        ),
      }
    }
    refuseKnown(segments)
    const allowed = new Set(fitting.flatMap(({ endpoints }) => [...endpoints.keys()]))
    if (allowed.has('GET') && !allowed.has('POST')) allowed.add('HEAD')
    if (allowed.size === 0)
      throw new NoRoute(400, `no handler found for uri [${path}] and method [${method}]`)
    const list = METHODS.filter((one) => allowed.has(one))
    throw new NoRoute(
      405,
      `Incorrect HTTP method for uri [${path}] and method [${method}], allowed: [${list.join(', ')}]`,
      list,
    )
  }
}

function refuseKnown(segments: readonly string[]) {
  const path = segments.slice(0, 2).join('/')
  const name = REFUSED_PATHS.has(path)
    ? path
    : segments.find((segment) => REFUSED_ENDPOINTS.has(segment))
  if (name !== undefined) throw unsupported(`endpoint.${name}`, `[${name}] endpoint`)
}

function decode(segment: string) {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw failures.illegalArgument(`the path has a malformed escape: [${segment}]`)
  }
}

/** @throws {EngineFailure} for a parameter the endpoint does not know or this engine does not have. */
export function checkParameters(
  endpoint: EndpointDefinition,
  path: string,
  names: Iterable<string>,
): void {
  const known = { ...EVERYWHERE, ...endpoint.parameters }
  const unknown: string[] = []
  let refused: EngineFailure | undefined
  for (const name of names) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined
    if (kind === undefined) unknown.push(name)
    else if (kind === 'none')
      refused ??= unsupported(`endpoint-parameter.${endpoint.name}.${name}`, `parameter [${name}]`)
  }
  if (unknown.length === 0 && refused) throw refused
  if (unknown.length === 0) return
  const listed = unknown.map((name) => {
    const near = nearest(name, Object.keys(known))
    return `[${name}]${near ? ` -> did you mean [${near}]?` : ''}`
  })
  throw new EngineFailure(
    400,
    'illegal_argument_exception',
    `request [${path}] contains unrecognized parameter${unknown.length > 1 ? 's' : ''}: ${listed.join(', ')}`,
  )
}

function nearest(name: string, names: readonly string[]) {
  const limit = name.length < 5 ? 1 : 2
  const [best] = names
    .map((other) => ({ other, distance: editDistance(name, other) }))
    .toSorted((a, b) => a.distance - b.distance)
  return best && best.distance <= limit && name.length > 4 ? best.other : undefined
}
