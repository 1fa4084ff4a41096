import type { Plan } from '../pipeline/plan.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import { compileDraft } from './check-draft.ts'
import type { CompiledPipeline, CompileServices, PipelineText } from './compile.ts'
import type { StoredPipeline } from './library.ts'

/** Says of a plan which version it is. */
export const asVersion = <Kind extends StageKind>(
  plan: Plan<Kind>,
  { version, isLive }: Pick<StoredPipeline, 'version' | 'isLive'>,
): Plan<Kind> => ({ ...plan, version, isLive })

/** Compiles stored versions; one that did not change keeps its plan, and so its warm scripts. */
export function createVersionLoader<Kind extends StageKind>(services: CompileServices<Kind>) {
  let kept = new Map<string, CompiledPipeline<Kind>>()

  return function loadVersions(
    versions: readonly StoredPipeline[],
    environment: PipelineText['environment'],
  ): CompiledPipeline<Kind>[] {
    const surroundings = JSON.stringify([environment, services.maxStages()])
    const next = new Map<string, CompiledPipeline<Kind>>()
    const loaded = versions.map((stored) => {
      const name = JSON.stringify([stored.id, stored.etag, surroundings])
      const known = kept.get(name) ?? compileStored(stored, environment)
      next.set(name, known)
      return known
    })
    kept = next
    return loaded
  }

  function compileStored(stored: StoredPipeline, environment: PipelineText['environment']) {
    const compiled = compileDraft(stored, { id: stored.id, environment }, services)
    return { ...compiled, ...(compiled.plan && { plan: asVersion(compiled.plan, stored) }) }
  }
}
