import { z } from 'zod'
import {
  EnvCheck,
  EnvCheckResult,
  EnvItem,
  EnvPath,
  EnvSaved,
  EnvSubmission,
  EnvUpdate,
  RevealQuery,
} from '../../../contract/gateway-api/envs.ts'
import { MessageBody } from '../../../contract/gateway-api/messages.ts'
import type { StoredGlobalEnv } from '../../../envs/global-env-store.ts'
import { validateEnv } from '../../../envs/validate-env.ts'
import { errors } from '../../../errors.ts'
import { SEALED } from '../../../pipeline/seal-env-values.ts'
import type { ApiServices } from '../api-services.ts'
import { type ApiRoute, defineRoute } from '../define-route.ts'
import { etagHeader, toCondition } from '../if-match.ts'
import { toMessage } from '../message.ts'
import { readersOf } from '../save-pipeline.ts'

/** Variables shared by all pipelines; domain, section 3.7. Their values are secrets. */
export const envRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/_pipelines/envs',
    summary: 'All global envs, in order of their keys',
    access: 'admin',
    query: RevealQuery,
    response: z.array(EnvItem),
    handler: ({ query, principal }, services) => ({
      body: services.globalEnvs
        .list()
        .map((entry) => toShown(entry, { ...query, ...principal }, services)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/_pipelines/env',
    summary: 'Create a global env',
    access: 'admin',
    guarded: true,
    failures: [409],
    body: EnvSubmission,
    response: EnvItem,
    async handler({ body, ifMatch }, { globalEnvs }) {
      const { key, value } = body
      toCondition(ifMatch, undefined, `A new global env`)
      // The reference answers 400 here, not 409.
      if (globalEnvs.get(key))
        throw errors.requestInvalid(
          `A global env "${key}" exists; change it with PUT /_pipelines/env/${key}`,
        )
      if (value === SEALED)
        throw errors.requestInvalid(`"${key}" is new, so the dots stand for no value: send one`)
      const entry = await globalEnvs.create(body)
      return { headers: etagHeader(entry.etag), body: { ...entry, value: SEALED } }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/_pipelines/env/{key}',
    summary: 'One global env, its value masked unless reveal=true',
    access: 'admin',
    failures: [404],
    params: EnvPath,
    query: RevealQuery,
    response: EnvItem,
    handler({ params, query, principal }, services) {
      const entry = findEnv(params.key, services)
      return {
        headers: etagHeader(entry.etag),
        body: toShown(entry, { ...query, ...principal }, services),
      }
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/_pipelines/env/{key}',
    summary: 'Replace a global env',
    access: 'admin',
    guarded: true,
    failures: [404, 422],
    params: EnvPath,
    body: EnvUpdate,
    response: EnvSaved,
    async handler({ params: { key }, body, ifMatch }, services) {
      const before = findEnv(key, services)
      if (body.key !== undefined && body.key !== key)
        throw errors.unprocessable(
          `The body names the key "${body.key}", the address "${key}"; a key cannot be changed`,
        )
      const value = body.value === undefined || body.value === SEALED ? before.value : body.value
      const condition = toCondition(ifMatch, before.etag, `Global env "${key}"`)
      const entry = await services.globalEnvs.update(key, { ...body, key, value }, condition)
      const readers = await readersOf(value === before.value ? [] : [key], services)
      return {
        headers: etagHeader(entry.etag),
        body: { ...toMessage('Environment updated sucessfully!'), read_by: readers.get(key) ?? [] },
      }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/_pipelines/env/{key}',
    summary: 'Delete a global env',
    access: 'admin',
    guarded: true,
    failures: [404],
    params: EnvPath,
    response: MessageBody,
    async handler({ params: { key }, ifMatch }, services) {
      const { etag } = findEnv(key, services)
      const condition = toCondition(ifMatch, etag, `Global env "${key}"`)
      await services.globalEnvs.remove(key, condition)
      return { body: toMessage('Environment deleted successfully!') }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/_pipelines/env/validate',
    summary: 'Send the request that checks a global env; its value stays in the gateway',
    access: 'admin',
    body: EnvCheck,
    response: EnvCheckResult,
    async handler({ body, signal }, { globalEnvs, callOut }) {
      const { key, value } = body
      const stored = globalEnvs.get(key)
      const checked = value === undefined || value === SEALED ? stored?.value : value
      if (checked === undefined)
        throw errors.requestInvalid(`"${key}" has no value: it is not stored, and none was sent`)
      const verdict = await validateEnv(
        { key, validate: body.validate ?? stored?.validate },
        {
          lookup: (name) => (name === key ? checked : globalEnvs.get(name)?.value),
          send: callOut,
          signal,
        },
      )
      return { body: verdict }
    },
  }),
]

/** @throws {GatewayError} NOT_FOUND */
function findEnv(key: string, { globalEnvs }: ApiServices): StoredGlobalEnv {
  const entry = globalEnvs.get(key)
  if (entry) return entry
  throw errors.notFound(`There is no global env "${key}"; GET /_pipelines/envs lists all`)
}

/** An entry with its value masked, unless an administrator asks for it: that is written down first. */
function toShown(
  entry: StoredGlobalEnv,
  { reveal, username }: { reveal?: string; username: string },
  { audit }: ApiServices,
): EnvItem {
  if (reveal !== 'true') return { ...entry, value: SEALED }
  audit({ action: 'reveal-global-env', username, key: entry.key })
  return entry
}
