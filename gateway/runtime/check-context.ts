import type { Context } from '../contract/context.ts'
import { errors } from '../errors.ts'
import type { ScriptContext } from '../scripting/sandbox.ts'

/**
 * The context a script leaves behind, once what it changed has the right types.
 * @throws {GatewayError} SCRIPT_RESULT_INVALID naming what is wrong.
 */
export function checkContext(
  after: ScriptContext,
  before: ScriptContext,
  stageId: string,
): Context {
  const mistake =
    (after['request'] !== before['request'] && requestMistake(after['request'])) ||
    (after['response'] !== before['response'] && responseMistake(after['response'])) ||
    (after['envs'] !== before['envs'] &&
      !isMap(after['envs']) &&
      wrong('envs', 'a map', after['envs']))
  if (mistake)
    throw errors.scriptResultInvalid(`The script of stage "${stageId}" leaves ${mistake}`, {
      stageId,
    })
  // Its three fixed keys have just been checked; all other keys are free.
  return after as Context
}

const requestMistake = (request: unknown) =>
  !isMap(request)
    ? wrong('request', 'a map', request)
    : (textMistake('request.method', request['method']) ??
      textMistake('request.url', request['url']) ??
      headersMistake('request.headers', request['headers']) ??
      textMistake('request.body', request['body']))

const responseMistake = (response: unknown) =>
  !isMap(response)
    ? wrong('response', 'a map', response)
    : (codeMistake(response['code']) ??
      headersMistake('response.headers', response['headers']) ??
      textMistake('response.body', response['body']))

const textMistake = (name: string, value: unknown) =>
  typeof value === 'string'
    ? undefined
    : `${wrong(name, 'a text', value)}${isMap(value) || Array.isArray(value) ? '; write JSON.stringify(…)' : ''}`

const codeMistake = (code: unknown) =>
  Number.isInteger(code) && (code === 0 || (Number(code) >= 100 && Number(code) <= 599))
    ? undefined
    : wrong('response.code', 'a status code from 100 to 599', code)

function headersMistake(name: string, headers: unknown): string | undefined {
  if (!isMap(headers)) return wrong(name, 'a map', headers)
  for (const [key, value] of Object.entries(headers))
    if (typeof value !== 'string') return wrong(`${name}["${key}"]`, 'a text', value)
  return undefined
}

const wrong = (name: string, wanted: string, value: unknown) =>
  `${name} as ${nameOf(value)}, but it must be ${wanted}`

const nameOf = (value: unknown) =>
  value === undefined || value === null
    ? 'nothing'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : `${typeof value} ${JSON.stringify(value)?.slice(0, 40)}`

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
