import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { PipelineEdit } from '../../contract/pipeline-edit.ts'
import { editPipeline } from './edit-pipeline.ts'

const samples = fileURLToPath(new URL('../../../samples/pipelines', import.meta.url))
const files = globSync('*.yaml', { cwd: samples })

/** Edits and what takes them back, for every stage of a file. */
function pairsFor(
  stages: readonly { id?: string; use?: string }[],
): [PipelineEdit, PipelineEdit][] {
  const ids = stages.map(({ id, use }) => id ?? use ?? '')
  return ids.flatMap((stage, index): [PipelineEdit, PipelineEdit][] => [
    [
      { kind: 'setEnabled', stage, enabled: false },
      { kind: 'setEnabled', stage, enabled: true },
    ],
    ...[0, ids.length - 1].map((to): [PipelineEdit, PipelineEdit] => [
      { kind: 'moveStage', stage, index: to },
      { kind: 'moveStage', stage, index },
    ]),
    [
      { kind: 'addStage', stage: { id: 'new', script: 'a\n\nb\n' }, index },
      { kind: 'removeStage', stage: 'new' },
    ],
    [
      { kind: 'setField', path: ['stages', index, 'note'], value: { a: ['b: c', 1] } },
      { kind: 'removeField', path: ['stages', index, 'note'] },
    ],
  ])
}

test.each(files)('edits of %s that are taken back leave its very bytes', (path) => {
  const text = readFileSync(`${samples}/${path}`, 'utf8')
  const { stages } = parse(text) as { stages: { id?: string; use?: string }[] }
  for (const [edit, back] of pairsFor(stages)) {
    const edited = editPipeline({ path, text }, edit)
    expect(edited.diagnostics).toEqual([])
    expect(editPipeline({ path, text: edited.text }, back)).toEqual({ text, diagnostics: [] })
  }
})
