import type { PipelineItem } from '../../contract/gateway-api/pipelines.ts'
import type { PipelineDefinition } from '../../contract/pipeline.ts'
import type { StoredPipeline } from '../../library/library.ts'
import { SEALED, sealEnvValues } from '../../pipeline/seal-env-values.ts'
import type { ApiServices } from './api-services.ts'

/** One version as the API shows it; domain, section 3.2. */
export function toItem(stored: StoredPipeline, { definitionOf }: ApiServices): PipelineItem {
  const definition = definitionOf(stored)
  return {
    id: stored.id,
    _version: stored.version,
    ...(stored.description !== undefined && { _version_description: stored.description }),
    is_live: stored.isLive,
    enabled: stored.enabled,
    priority: stored.priority,
    ...(definition?.description !== undefined && { description: definition.description }),
    routes: definition?.routes ?? [],
    created_at: stored.createdAt,
    updated_at: stored.updatedAt,
    // A file its author wrote by hand may hold a value; what the API saved holds none.
    content: sealEnvValues(stored.content).text,
    extension: stored.extension,
    ...(stored.validateContext !== undefined && { validateContext: stored.validateContext }),
    etag: stored.etag,
  }
}

/** A definition without its secrets. */
export const withoutSecrets = (definition: PipelineDefinition): PipelineDefinition =>
  definition.global_envs
    ? {
        ...definition,
        global_envs: definition.global_envs.map((entry) => ({ ...entry, value: SEALED })),
      }
    : definition
