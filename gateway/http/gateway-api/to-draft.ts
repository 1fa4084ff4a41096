import type { PipelineSubmission } from '../../contract/gateway-api/pipelines.ts'
import { errors } from '../../errors.ts'
import type { PipelineDraft } from '../../library/library.ts'

const EXTENSIONS: ReadonlyMap<string, PipelineDraft['extension']> = new Map([
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
  ['json', 'json'],
])

/**
 * A submission as the library takes it.
 * @throws {GatewayError} UNPROCESSABLE when a file is of a kind that is not read.
 */
export function toDraft({ pipeline, scripts }: PipelineSubmission): PipelineDraft {
  const extension = EXTENSIONS.get(pipeline.extension.replace(/^\./, '').toLowerCase())
  if (!extension)
    throw errors.unprocessable(
      `A pipeline is a file ending in .yaml, .yml or .json, not in ".${pipeline.extension}"`,
    )
  return {
    content: pipeline.content,
    extension,
    ...(pipeline.validateContext !== undefined && { validateContext: pipeline.validateContext }),
    scripts: Object.fromEntries(
      Object.entries(scripts).map(([ref, { content }]) => [ref, content]),
    ),
  }
}
