import { expect, test } from 'vitest'
import { z } from 'zod'
import { PipelineDefinition } from '../../gateway/contract/pipeline.ts'
import { pipelineHover, pipelineSuggestions } from './pipeline-help.ts'
import { toSchema } from './schema-at.ts'

const knowledge = {
  schema: toSchema(z.toJSONSchema(PipelineDefinition)),
  stages: [
    {
      use: 'httpRequest',
      summary: 'Asks another service',
      mayBeAsync: true,
      inputs: {
        type: 'object',
        required: ['url'],
        properties: {
          url: { type: 'string', description: 'Address to request' },
          method: { enum: ['GET', 'POST'] },
        },
      },
    },
  ],
}
const labels = (text: string) => {
  const lines = text.split('\n')
  const last = lines[lines.length - 1] ?? ''
  return pipelineSuggestions(text, lines.length, last.length + 1, knowledge).map((one) => one.label)
}

test('offers the keys of the contract that are not there yet', () => {
  expect(labels('id: a\nroutes: []\n')).toEqual([
    'enabled',
    'description',
    'priority',
    'envs',
    'trigger',
    'stages',
    'global_envs',
    'validateContext',
  ])
})

test('offers the stages behind "use" and their inputs below "inputs"', () => {
  expect(labels('stages:\n  - id: a\n    use: ')).toEqual(['httpRequest'])
  expect(
    labels('stages:\n  - id: a\n    use: httpRequest\n    inputs:\n      url: x\n      '),
  ).toEqual(['method'])
})

test('offers allowed values and the ids of stages', () => {
  expect(labels('stages:\n  - id: a\n    async: ')).toEqual(['true', 'false'])
  expect(labels('id: p\nstages:\n  - id: a\n  - id: b\n    needs: [')).toEqual(['a', 'b'])
})

test('explains keys and stages', () => {
  expect(pipelineHover('priority: 1', 1, 3, knowledge)).toBe(
    '**priority** `number`\n\nHigher is tried first; 0 by default',
  )
  expect(pipelineHover('stages:\n  - use: httpRequest', 2, 15, knowledge)).toBe(
    '**httpRequest** Asks another service\n\nInputs:\n- `url` (required) Address to request\n- `method` ',
  )
})
