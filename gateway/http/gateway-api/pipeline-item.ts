import type { PipelineItem } from '../../contract/gateway-api/pipelines.ts'
import type { PipelineDefinition } from '../../contract/pipeline.ts'
import type { StoredPipeline } from '../../library/library.ts'
import { SEALED, sealEnvValues } from '../../pipeline/seal-env-values.ts'
import { log } from '../log.ts'
import type { ApiServices } from './api-services.ts'
import { etagHeader } from './if-match.ts'
import { mapInTurns } from './map-in-turns.ts'

/** Pipelines whose runs are counted in one go; the others count as unused. */
const MOST_COUNTED = 10_000

/** Versions as the API shows them. */
export async function toItems(
  versions: readonly StoredPipeline[],
  services: ApiServices,
): Promise<PipelineItem[]> {
  const calls = await countCalls(services)
  return mapInTurns(versions, (stored) => toItem(stored, services, calls.get(stored.id) ?? 0))
}

async function countCalls({ usage }: ApiServices): Promise<ReadonlyMap<string, number>> {
  try {
    const { pipelines } = await usage.pipelines({ size: MOST_COUNTED })
    return new Map(pipelines.map((used) => [used.pipeline_id, used.calls]))
  } catch (cause) {
    // Pipelines can be read and mended whatever became of the figures.
    log.warn('usage-unreadable', { why: cause instanceof Error ? cause.message : String(cause) })
    return new Map()
  }
}

/** One version with its etag. */
export async function answerItem(stored: StoredPipeline, services: ApiServices) {
  const [item] = await toItems([stored], services)
  // Safe: one version makes one item.
  return { headers: etagHeader(stored.etag), body: item as PipelineItem }
}

/** One version; `usage` counts the runs of all versions of its pipeline. Domain, section 3.2. */
function toItem(
  stored: StoredPipeline,
  { definitionOf, maskOfNow }: ApiServices,
  usage: number,
): PipelineItem {
  const definition = definitionOf(stored)
  const { text, unsealable } = sealEnvValues(stored.content)
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
    content: unsealable.length > 0 ? maskOfNow()(text) : text,
    extension: stored.extension,
    usage,
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
