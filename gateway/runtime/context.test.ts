import { expect, test } from 'vitest'
import { runStages } from '../../test/support/run-stages.ts'
import type { RunRequest } from './run-request.ts'

test('inputs are filled in from the context and envs, with their types', async () => {
  const { body } = await runStages(
    `
- {id: a, use: set, inputs: {list: '{{envs.sizes}}', text: 'n={{n}} of {{{envs.sizes}}}', deep: '{{context.envs.sizes}}'}}
- {id: b, use: say, inputs: {keys: 'list,text,deep'}}`,
    { head: 'envs: {sizes: [1, 2], n: 7}' },
  )
  expect(body).toBe('list=1,2;text=n=7 of [1,2];deep=1,2;')
})

test('an unknown name in an input is a failure that names it and its place', async () => {
  const { error } = await runStages(`
- id: a
  use: set
  continueOnError: false
  inputs:
    x: '{{nothing.here}}'`)
  expect([error?.code, error?.message.includes('{{nothing.here}}'), error?.source?.line]).toEqual([
    'INPUT_UNKNOWN',
    true,
    9,
  ])
})

test('an input of a wrong type once filled in is a failure that names it', async () => {
  const { error } = await runStages(
    `\n- {id: a, use: slow, continueOnError: false, inputs: {ms: '{{n}}'}}`,
    { head: 'envs: {n: many}' },
  )
  expect([error?.code, error?.message.includes('"ms"')]).toEqual(['INPUTS_INVALID', true])
})

test('envs come from the pipeline first, then the request, then the environment', async () => {
  const contexts: unknown[] = []
  await runStages(`\n- {id: a, use: set}`, {
    head: 'envs: {path: mine}',
    envs: { method: 'no', key: 'yes', path: 'no' },
    observers: [{ runStarted: ({ context }) => void contexts.push(context.envs) }],
  })
  expect(contexts).toEqual([
    {
      key: 'yes',
      method: 'POST',
      path: 'mine',
      isTLS: false,
      index: ['x', 'y'],
      origin: 'h',
      referer: 'r',
      referrer: 'r',
      urlValues: { q: '1' },
      ipv4: '10.0.0.1',
    },
  ])
})

test('credentials of the caller are not in the context', async () => {
  const contexts: string[] = []
  await runStages(`\n- {id: a, use: set}`, {
    observers: [{ beforeStage: ({ context }) => void contexts.push(JSON.stringify(context)) }],
  })
  expect([contexts.length, contexts.join('').includes('secret')]).toEqual([1, false])
})

test('contexts given to observers share what did not change', async () => {
  const bodies: string[] = []
  const request = { body: 'x'.repeat(1_000_000) } as RunRequest['request']
  const contexts: object[] = []
  await runStages(`\n- {id: a, use: set, inputs: {k: 1}}\n- {id: b, use: set}`, {
    request,
    observers: [
      {
        afterStage: ({ context, output }) => {
          contexts.push(context.request, output.request)
          bodies.push(output.request.body)
        },
      },
    ],
  })
  expect([new Set(contexts).size, bodies.every((body) => body === request.body)]).toEqual([1, true])
})
