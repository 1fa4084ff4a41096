import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { builtInStages, plannedStages } from '../gateway/stages/index.ts'
import { parseFile } from './support/run-pipeline.ts'

test.each(builtInStages.map((stage) => [stage.use, stage] as const))(
  'stage %s is well formed',
  (use, { summary, inputs }) => {
    expect(use).toMatch(/^[a-z][a-zA-Z0-9]*$/)
    expect(summary).not.toBe('')
    const schema = z.toJSONSchema(inputs, { io: 'input' })
    expect(schema.additionalProperties).toBe(false)
    for (const [name, input] of Object.entries(schema.properties ?? {}))
      expect(input, `${use}.${name} needs a description`).toHaveProperty('description')
  },
)

test('every stage the specification names is either built or planned, and only once', () => {
  const names = [...builtInStages.map(({ use }) => use), ...plannedStages]
  expect(names.toSorted()).toEqual([
    'addFilter',
    'altEngineQuery',
    'authorization',
    'customData',
    'declarativeQuery',
    'documentStoreQuery',
    'hideResults',
    'httpRequest',
    'kNN',
    'promoteResults',
    'recordAnalytics',
    'removeWords',
    'replaceSearchTerm',
    'replaceWords',
    'searchEngineQuery',
    'searchRelevancy',
    'useCache',
  ])
})

const page = readFileSync(new URL('../docs/pipelines.md', import.meta.url), 'utf8')

test('the page about pipelines names every stage that is built, with its inputs', () => {
  const rows = page.matchAll(/^\| `(\w+)` +\| [^|]+\| ((?:`\w+`(?:, )?)+|–)[^|]*\|$/gm)
  const documented = [...rows].map(([, use, inputs = '']) => [
    use,
    [...inputs.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ])
  const built = builtInStages.map(({ use, inputs }) => [
    use,
    Object.keys(z.toJSONSchema(inputs, { io: 'input' }).properties ?? {}),
  ])
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(built))
})

test('its example is right', () => {
  const [, text = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
  expect(parseFile({ path: 'hello.yaml', text }).diagnostics).toEqual([])
})
