import type { Diagnostic } from '../../contract/diagnostic.ts'
import type { PipelineEdit, PipelineEditResult } from '../../contract/pipeline-edit.ts'
import { isRaw, listOf } from '../raw.ts'
import { type Path, readDocument } from '../read-document.ts'
import { writtenId } from '../stage-ids.ts'
import { applyOperation, isSame } from './operation.ts'
import { planEdit, type Refusal } from './plan-edit.ts'
import { readsResult } from './rename-references.ts'
import { writeBatch } from './write-batch.ts'

/**
 * Makes one change in the text of a pipeline and leaves every other character as it is. The new text
 * is read again and compared with what the edit means; an edit that would change more, or less, is
 * refused. Never throws.
 */
export function editPipeline(
  file: { path: string; text: string },
  edit: PipelineEdit,
): PipelineEditResult {
  const isJson = file.path.endsWith('.json')
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
  let { text } = file
  let value: unknown = root
  for (const batch of batches) {
    const next = writeBatch(text, batch, isJson)
    if (next === 'alias')
      return refused(
        'edit-shared',
        'This part comes from an anchor elsewhere in the file; edit it there, or write it out here',
        batch[0]?.path,
      )
    value = batch.reduce(applyOperation, value)
    if (next === undefined || !isSame(readValue(next), value))
      return refused(
        'edit-not-possible',
        'This cannot be changed without touching other parts, such as what an anchor shares; edit the text',
        batch[0]?.path,
      )
    text = next
  }
  return { text, diagnostics: warnings(root, edit, { ...file, text }) }
}

const isRefusal = (plan: ReturnType<typeof planEdit>): plan is Refusal => !Array.isArray(plan)

function readValue(text: string): unknown {
  const { value, diagnostics } = readDocument('edited.yaml', text)
  return diagnostics.some(({ severity }) => severity === 'error') ? undefined : value
}

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
