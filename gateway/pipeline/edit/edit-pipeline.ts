import type { Diagnostic } from '../../contract/diagnostic.ts'
import type { PipelineEdit, PipelineEditResult } from '../../contract/pipeline-edit.ts'
import { isRaw, listOf } from '../raw.ts'
import { type Path, readDocument } from '../read-document.ts'
import { writtenId } from '../stage-ids.ts'
import { planEdit, type Refusal } from './plan-edit.ts'
import { readsResult } from './rename-references.ts'
import { type Failure, writeBatches } from './write-batches.ts'

/**
 * Makes one change in the text of a pipeline and leaves every other character as it is. The new text
 * is read again and compared with what the edit means; an edit that would change more, or less, is
 * refused. Never throws.
 */
export function editPipeline(
  file: { path: string; text: string },
  edit: PipelineEdit,
): PipelineEditResult {
  const refused = (code: string, message: string, path: Path = []): PipelineEditResult => ({
    text: file.text,
    diagnostics: [{ severity: 'error', code, message, source: source.locate(path) }],
  })
  const source = readDocument(file.path, file.text)
  const broken = source.diagnostics.filter(({ severity }) => severity === 'error')
  if (broken.length > 0) return { text: file.text, diagnostics: broken }
  const root = source.value ?? {}
  if (!isRaw(root))
    return refused('not-a-map', 'A pipeline is a map with the keys routes and stages')

  const batches = planEdit(root, edit)
  if (isRefusal(batches)) return refused(batches.code, batches.message, batches.path)
  const written = writeBatches(file, batches, root)
  if ('why' in written) return refused(...whyNot(written), written.path)
  const { text } = written
  return { text, diagnostics: warnings(root, edit, { ...file, text }) }
}

const isRefusal = (plan: ReturnType<typeof planEdit>): plan is Refusal => !Array.isArray(plan)

const whyNot = ({ why }: Failure): [code: string, message: string] =>
  why === 'shared'
    ? [
        'edit-shared',
        'This part comes from an anchor elsewhere in the file; edit it there, or write it out here',
      ]
    : [
        'edit-not-possible',
        'This cannot be changed without touching other parts, such as what an anchor shares; edit the text',
      ]

/** Scripts that read a renamed stage's result: code is the author's to change. */
function warnings(
  root: Record<string, unknown>,
  edit: PipelineEdit,
  after: { path: string; text: string },
): Diagnostic[] {
  if (edit.kind !== 'renameStage') return []
  const stages = listOf(root['stages'])
  const renamed = stages.find((stage) => writtenId(stage) === edit.stage)
  if (!isRaw(renamed) || renamed['async'] !== true) return []
  const { locate } = readDocument(after.path, after.text)
  return stages.flatMap((stage, index): Diagnostic[] =>
    isRaw(stage) && typeof stage['script'] === 'string' && readsResult(stage['script'], edit.stage)
      ? [
          {
            severity: 'warning',
            code: 'renamed-in-script',
            message: `This script reads context.${edit.stage}; the stage is called "${edit.id}" now`,
            source: locate(['stages', index, 'script']),
          },
        ]
      : [],
  )
}
