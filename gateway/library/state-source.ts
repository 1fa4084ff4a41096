import type { PipelineCheck } from '../contract/pipeline.ts'
import type { Plan } from '../pipeline/plan.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import type { SharedState } from '../state/shared-state.ts'
import { compileDraft } from './check-draft.ts'
import { type CompiledPipeline, compilePipeline, type CompileServices } from './compile.ts'
import { createLibrary } from './create-library.ts'
import type { PipelineDraft, PipelineLibrary } from './library.ts'
import { createVersionLoader } from './load-versions.ts'
import { allVersions } from './record.ts'
import { openStateRecords } from './state-records.ts'

/** Where a gateway's pipelines come from. */
export interface PipelineSource<Kind extends StageKind> {
  library: PipelineLibrary
  /** Reads and compiles everything anew; what did not change keeps its plan. */
  load(): LoadedPipelines<Kind>
  /** Checks a text as if it lay at `path`; nothing is kept. */
  check(path: string, text: string): PipelineCheck
  /** Compiles a draft where it would lie; `id` counts only when the text has none. */
  compileDraft(draft: PipelineDraft, id: string): CompiledPipeline<Kind>
}

/** All pipelines of a source at one moment. */
export interface LoadedPipelines<Kind extends StageKind> {
  /** The live version of each. */
  pipelines: CompiledPipeline<Kind>[]
  /** Of all versions that can be served. */
  plans: Plan<Kind>[]
}

/** Pipelines of the state store: what a gateway serves that has no workspace. */
export function openStateSource<Kind extends StageKind>(
  state: SharedState,
  services: CompileServices<Kind>,
): PipelineSource<Kind> {
  const compile = (draft: PipelineDraft, id: string) =>
    compileDraft(draft, { id, environment: {} }, services)
  const records = openStateRecords(state)
  const library = createLibrary({ records, compile })
  const loadVersions = createVersionLoader(services)
  return {
    library,
    compileDraft: compile,
    load() {
      const versions = allVersions(records)
      const compiled = loadVersions(versions, {})
      return {
        pipelines: compiled.filter((_, at) => versions[at]?.isLive),
        plans: compiled.flatMap(({ plan }) => plan ?? []),
      }
    },
    check(path, text) {
      const { diagnostics, model, plan } = compilePipeline(
        { file: path, text, resolveScript: () => ({ candidates: [] }), environment: {} },
        services,
      )
      return { diagnostics, ...(model && plan && { model }) }
    },
  }
}
