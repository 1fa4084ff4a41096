import type { z } from 'zod'
import type { PipelineScript } from '../../contract/gateway-api/pipelines.ts'
import { errors } from '../../errors.ts'
import type { StoredPipeline } from '../../library/library.ts'
import type { ApiServices } from './api-services.ts'

/** @throws {GatewayError} NOT_FOUND, in the words existing clients know. */
export function findPipeline(id: string, { library }: ApiServices): StoredPipeline {
  const stored = library.get(id)
  if (stored) return stored
  throw errors.notFound(`${id}: invalid pipeline ID passed`)
}

/** @throws {GatewayError} NOT_FOUND naming the versions there are. */
export function findVersion(id: string, version: number, services: ApiServices): StoredPipeline {
  findPipeline(id, services)
  const stored = services.library.version(id, version)
  if (stored) return stored
  const numbers = services.library.versions(id).map((one) => one.version)
  throw errors.notFound(`${id}: there is no version ${version}; there are ${numbers.join(', ')}`)
}

/** @throws {GatewayError} NOT_FOUND naming the scripts there are. */
export function findScript(
  { id, scripts }: StoredPipeline,
  key: string,
): z.input<typeof PipelineScript> {
  const content = Object.hasOwn(scripts, key) ? scripts[key] : undefined
  if (content !== undefined) return { id, key, content, extension: 'js' }
  const keys = Object.keys(scripts)
  throw errors.notFound(
    `${id}: no stage has the scriptRef "${key}"` +
      (keys.length > 0 ? `; there are ${keys.join(', ')}` : ''),
  )
}
