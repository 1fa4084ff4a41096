import { randomUUID } from 'node:crypto'
import type { Diagnostic, SourceRange } from '../../contract/diagnostic.ts'
import type { PipelineDefinition } from '../../contract/pipeline.ts'
import { fileOf, findGiven } from '../../library/check-draft.ts'
import type { CompiledPipeline, CompileServices } from '../../library/compile.ts'
import type { PipelineDraft, StoredPipeline } from '../../library/library.ts'
import { parsePipeline } from '../../pipeline/parse-pipeline.ts'
import type { StageDefinition } from '../../stages/define.ts'

/** How the API reads the pipelines it is sent and those that are stored. */
export interface Drafts {
  /** Checks and compiles a draft; `id` where its text names none. */
  compile(draft: PipelineDraft, id?: string): CompiledPipeline<StageDefinition>
  /**
   * The definition of a stored version as its author wrote it, `${{NAME}}` included: what stands
   * behind a name is nobody's to read. None when the text has errors.
   */
  definitionOf(stored: StoredPipeline): PipelineDefinition | undefined
}

const MOST_REMEMBERED = 2_000

/**
 * Drafts are compiled where they would lie, by `compileInPlace`; its `id` counts only when the text
 * has none. Stored versions are read by what they hold alone.
 */
export function createDrafts(
  { kinds, planned, maxStages }: CompileServices<StageDefinition>,
  compileInPlace: (draft: PipelineDraft, id: string) => CompiledPipeline<StageDefinition>,
): Drafts {
  const remembered = new Map<string, PipelineDefinition | undefined>()

  return {
    compile(draft, id) {
      if (id !== undefined) return compileInPlace(draft, id)
      const compiled = compileInPlace(draft, randomUUID())
      // The place it would get means nothing to who sent it.
      const file = `pipeline.${draft.extension}`
      const diagnostics = compiled.diagnostics.map((one) =>
        moveDiagnostic(one, compiled.file, file),
      )
      return { ...compiled, file, diagnostics }
    },
    definitionOf(stored) {
      const name = `${stored.id} ${stored.version} ${stored.etag}`
      if (!remembered.has(name)) {
        if (remembered.size >= MOST_REMEMBERED) remembered.clear()
        const path = fileOf(stored.id, stored.extension)
        const { definition } = parsePipeline(
          { path, text: stored.content },
          {
            stages: kinds,
            planned,
            maxStages: maxStages(),
            resolveScript: (ref) => findGiven(path, ref, stored.scripts),
          },
        )
        remembered.set(name, definition)
      }
      return remembered.get(name)
    },
  }
}

function moveDiagnostic(diagnostic: Diagnostic, from: string, to: string): Diagnostic {
  const move = (range: SourceRange) => (range.file === from ? { ...range, file: to } : range)
  const { source, fix } = diagnostic
  return {
    ...diagnostic,
    source: move(source),
    ...(fix && {
      fix: { ...fix, edits: fix.edits.map((edit) => ({ ...edit, range: move(edit.range) })) },
    }),
  }
}
