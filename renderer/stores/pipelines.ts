import { createStore, useStore } from 'zustand'
import type { ResponseOf } from '../../gateway/contract/api.ts'
import type { Diagnostic } from '../../gateway/contract/diagnostic.ts'
import type { PipelineCheck, PipelineModel } from '../../gateway/contract/pipeline.ts'

interface PipelinesState {
  /** Last valid model of each pipeline file; it may lag behind the text. */
  models: Record<string, PipelineModel>
  /** Problems by the file that was checked; a file may cause problems in another one. */
  diagnostics: Record<string, readonly Diagnostic[]>
}

/** What the gateway knows of the workspace's pipelines and of texts being edited. */
export const pipelinesStore = createStore<PipelinesState>(() => ({ models: {}, diagnostics: {} }))

/**
 * Takes over the pipelines as they are on disk. Files in `edited` keep what was found in their
 * newer text.
 */
export const receivePipelines = (
  pipelines: ResponseOf<'GET /api/pipelines'>,
  edited: ReadonlySet<string>,
) =>
  pipelinesStore.setState((before) => {
    const models: PipelinesState['models'] = {}
    const diagnostics: PipelinesState['diagnostics'] = {}
    for (const pipeline of pipelines) {
      const { file } = pipeline
      const isEdited = edited.has(file) && before.diagnostics[file] !== undefined
      const model = (!isEdited && pipeline.model) || before.models[file] || pipeline.model
      if (model) models[file] = model
      diagnostics[file] = isEdited ? (before.diagnostics[file] ?? []) : pipeline.diagnostics
    }
    return { models, diagnostics }
  })

/** Takes over the result for a text that is being edited; without a model the last valid one stays. */
export const receiveCheck = (file: string, { diagnostics, model }: PipelineCheck) =>
  pipelinesStore.setState((before) => ({
    models: model ? { ...before.models, [file]: model } : before.models,
    diagnostics: { ...before.diagnostics, [file]: diagnostics },
  }))

/** Forgets everything, when another workspace is opened. */
export const dropPipelines = () => pipelinesStore.setState({ models: {}, diagnostics: {} })

const RANK = { error: 0, warning: 1, information: 2 }

/** Every problem once, by file and position, errors first within a line. */
export function allProblems({ diagnostics }: PipelinesState): Diagnostic[] {
  const seen = new Map<string, Diagnostic>()
  for (const one of Object.values(diagnostics).flat()) {
    const { file, line, column } = one.source
    seen.set(`${file}:${line}:${column}:${one.code}:${one.message}`, one)
  }
  return [...seen.values()].toSorted(
    (a, b) =>
      a.source.file.localeCompare(b.source.file) ||
      a.source.line - b.source.line ||
      a.source.column - b.source.column ||
      RANK[a.severity] - RANK[b.severity],
  )
}

/** Re-renders when what `selector` picks from this store changes. */
export const usePipelines = <T>(selector: (state: PipelinesState) => T) =>
  useStore(pipelinesStore, selector)
