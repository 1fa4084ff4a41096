import { fileOf, findGiven } from '../library/check-draft.ts'
import { type CompiledPipeline, compilePipeline, type CompileServices } from '../library/compile.ts'
import { createLibrary } from '../library/create-library.ts'
import type { PipelineDraft } from '../library/library.ts'
import { createVersionLoader } from '../library/load-versions.ts'
import { allVersions } from '../library/record.ts'
import type { PipelineSource } from '../library/state-source.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import type { StateStore } from '../state/state-store.ts'
import type { OpenWorkspace } from './open-workspace.ts'
import { createPipelineLoader } from './pipelines.ts'
import { openSaveJournal } from './save-journal.ts'
import { createWorkspaceRecords } from './workspace-records.ts'

interface Services<Kind extends StageKind> extends CompileServices<Kind> {
  workspace: OpenWorkspace
  state: StateStore
  /** Tells workspaces apart that share a store. */
  scope: string
  /** A save has written these files: list them anew and load. */
  onSaved(paths: readonly string[]): void
  onChange(listener: () => void): () => void
}

/** Pipelines of an open workspace: files, and versions beside them. Ends interrupted saves first. */
export function openWorkspaceSource<Kind extends StageKind>(
  services: Services<Kind>,
): PipelineSource<Kind> {
  const { workspace, state, scope } = services
  const journal = openSaveJournal(workspace.root, state, scope)
  workspace.rescan()
  const loader = createPipelineLoader<Kind>({
    ...services,
    // Files nobody saved over the API answer at their own paths and nowhere else.
    liveVersion: (id) => journal.record(id)?.live,
    files: {
      paths: workspace.pathsOf,
      fullPath: workspace.path,
      environment: workspace.environmentValues,
    },
  })
  const loadVersions = createVersionLoader(services)
  let loaded: CompiledPipeline<Kind>[] = []

  function compileDraft({ content, extension, scripts }: PipelineDraft, id: string) {
    const file = loaded.find(({ model }) => model?.pipelineId === id)?.file ?? fileOf(id, extension)
    return compilePipeline(
      {
        file: file.endsWith('.json') === (extension === 'json') ? file : fileOf(id, extension),
        text: content,
        // Scripts the draft brings go before those that are files already.
        resolveScript(ref) {
          const given = findGiven(file, ref, scripts)
          return 'path' in given ? given : loader.resolveScript(file, ref)
        },
        environment: workspace.environmentValues(),
      },
      services,
    )
  }

  const records = createWorkspaceRecords({
    root: workspace.root,
    loaded: () => loaded,
    resolveScript: loader.resolveScript,
    journal,
    reload: services.onSaved,
    onChange: services.onChange,
  })

  return {
    library: createLibrary({ records, compile: compileDraft }),
    compileDraft,
    check: loader.check,
    load() {
      loaded = loader.loadAll()
      const others = allVersions(records).filter(({ isLive }) => !isLive)
      const versions = loadVersions(others, workspace.environmentValues())
      return {
        pipelines: loaded,
        plans: [...loaded, ...versions].flatMap(({ plan }) => plan ?? []),
      }
    },
  }
}
