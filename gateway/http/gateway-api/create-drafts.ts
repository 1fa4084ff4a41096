import type { PipelineDefinition } from '../../contract/pipeline.ts'
import { compileDraft } from '../../library/check-draft.ts'
import type { CompiledPipeline, CompileServices, PipelineText } from '../../library/compile.ts'
import type { PipelineDraft, StoredPipeline } from '../../library/library.ts'
import type { StageDefinition } from '../../stages/define.ts'

/** How the API reads the pipelines it is sent and those that are stored. */
export interface Drafts {
  /** Checks and compiles a draft; `id` where its text names none. */
  compile(draft: PipelineDraft, id?: string): CompiledPipeline<StageDefinition>
  /** The definition of a stored version, remembered; none when its text has errors. */
  definitionOf(stored: StoredPipeline): PipelineDefinition | undefined
}

const MOST_REMEMBERED = 2_000

/** `environment` gives the values behind `${{NAME}}` at this moment. */
export function createDrafts(
  services: CompileServices<StageDefinition>,
  environment: () => PipelineText['environment'],
): Drafts {
  const remembered = new Map<string, PipelineDefinition | undefined>()

  const compile: Drafts['compile'] = (draft, id) =>
    compileDraft(draft, { environment: environment(), ...(id !== undefined && { id }) }, services)

  return {
    compile,
    definitionOf(stored) {
      const name = `${stored.id} ${stored.version} ${stored.etag}`
      if (!remembered.has(name)) {
        if (remembered.size >= MOST_REMEMBERED) remembered.clear()
        remembered.set(name, compile(stored, stored.id).definition)
      }
      return remembered.get(name)
    },
  }
}
