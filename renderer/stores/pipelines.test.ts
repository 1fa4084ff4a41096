import { beforeEach, expect, test } from 'vitest'
import type { PipelineModel } from '../../gateway/contract/pipeline.ts'
import {
  allProblems,
  dropPipelines,
  pipelinesStore,
  receiveCheck,
  receivePipelines,
} from './pipelines.ts'

const file = 'pipelines/a.pipeline.yaml'
const model = (priority: number): PipelineModel => ({
  pipelineId: 'a',
  file,
  enabled: true,
  priority,
  routes: [],
  stages: [],
  envs: [],
  globalEnvs: [],
})
const problem = (line: number) => ({
  severity: 'error' as const,
  code: 'yaml',
  message: `line ${line}`,
  source: { file, line, column: 1, endLine: line, endColumn: 2 },
})

beforeEach(dropPipelines)

test('a text with errors keeps the last valid model', () => {
  receiveCheck(file, { diagnostics: [], model: model(1) })
  receiveCheck(file, { diagnostics: [problem(3)] })
  expect(pipelinesStore.getState().models[file]?.priority).toBe(1)
})

test('what is on disk does not take the place of what was found in an edited text', () => {
  receiveCheck(file, { diagnostics: [problem(3)], model: model(2) })
  receivePipelines([{ file, diagnostics: [], model: model(1) }], new Set([file]))
  expect(pipelinesStore.getState().models[file]?.priority).toBe(2)
  expect(allProblems(pipelinesStore.getState())).toHaveLength(1)
  receivePipelines([{ file, diagnostics: [], model: model(1) }], new Set())
  expect(pipelinesStore.getState().models[file]?.priority).toBe(1)
  expect(allProblems(pipelinesStore.getState())).toEqual([])
})

test('problems are listed once, by position', () => {
  receiveCheck(file, { diagnostics: [problem(9), problem(2), problem(9)] })
  expect(allProblems(pipelinesStore.getState()).map(({ source }) => source.line)).toEqual([2, 9])
})
