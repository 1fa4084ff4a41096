import { expect, test } from 'vitest'
import { runStages } from '../../test/support/run-stages.ts'

const racing = (first: number, second: number) => `
- {id: x, use: slow, async: true, inputs: {ms: ${first}, changes: {k: of x}}}
- {id: y, use: slow, async: true, inputs: {ms: ${second}, changes: {k: of y}}}
- {id: b, use: say, needs: [y, x], inputs: {keys: 'k'}}`

test('asynchronous stages run beside each other, and only those that need them see what they gave', async () => {
  const { body, events } = await runStages(`
- {id: x, use: slow, async: true, inputs: {ms: 20, output: from x}}
- {id: y, use: slow, async: true, inputs: {ms: 10, output: from y}}
- {id: blind, use: say, inputs: {keys: 'x,y'}}
- {id: through, use: say, needs: [y], inputs: {keys: 'x,y'}}
- {id: both, use: say, needs: [through, x], inputs: {keys: 'x,y'}}
- {id: blind again, use: say, inputs: {keys: 'x,y'}}`)
  expect(body).toBe(
    'x=undefined;y=undefined;' +
      'x=undefined;y=from y;' +
      'x=from x;y=from y;' +
      'x=undefined;y=undefined;',
  )
  expect(events.slice(0, 2)).toEqual(['x begins', 'y begins'])
})

test('behind a need that was skipped nobody has waited, so nothing there counts', async () => {
  for (const ms of [0, 30]) {
    const { continued, events, background } = await runStages(`
- {id: x, use: slow, async: true, inputs: {ms: ${ms}, fail: broken}}
- {id: off, use: set, enabled: false, needs: [x]}
- {id: pause, use: slow, inputs: {ms: 10}}
- {id: behind, use: set, needs: [off]}`)
    await background
    expect(continued).toEqual([])
    expect(events).toContain('behind skippedByNeed: needs "off", which is disabled')
    expect(events).toContain('x continued STAGE_FAILED')
  }
})

test('an asynchronous stage cannot change what exists; the attempt is recorded', async () => {
  const { body, events } = await runStages(`
- {id: a, use: set, inputs: {seen: first}}
- id: x
  use: slow
  async: true
  needs: [a]
  inputs:
    output: out
    changes: {seen: second, fresh: new, response: {code: 500}, envs: {method: X}, request: {body: no}}
- {id: b, use: say, needs: [x], inputs: {keys: 'seen,fresh,x'}}`)
  expect(body).toBe('seen=first;fresh=new;x=out;')
  expect(events).toContain('x ok seen response envs request')
})

test('of two asynchronous stages that give one key the earlier in the list wins, whoever is faster', async () => {
  expect([(await runStages(racing(1, 20))).body, (await runStages(racing(20, 1))).body]).toEqual([
    'k=of x;',
    'k=of x;',
  ])
})

test('the answer does not wait for asynchronous stages that nobody needs', async () => {
  const { events, background } = await runStages(`
- {id: x, use: slow, async: true, inputs: {ms: 30}}
- {id: late, use: slow, async: true, needs: [a], inputs: {ms: 10}}
- {id: a, use: set}`)
  const atAnswer = [...events]
  await background
  expect([atAnswer.at(-1), events.slice(atAnswer.length)]).toEqual([
    'answer 200',
    ['late ok', 'x ok', 'end'],
  ])
})

test('a failure in the background changes no answer', async () => {
  const { response, events, background } = await runStages(`
- {id: x, use: slow, async: true, continueOnError: false, inputs: {fail: late, ms: 5}}
- {id: a, use: set}`)
  await background
  expect([response.code, events]).toEqual([
    200,
    ['x begins', 'a begins', 'a ok', 'answer 200', 'x failed STAGE_FAILED', 'end'],
  ])
})

test('a needed asynchronous stage that may not fail ends the run', async () => {
  const { error } = await runStages(`
- {id: x, use: slow, async: true, continueOnError: false, inputs: {fail: late, ms: 5}}
- {id: a, use: set, needs: [x]}`)
  expect([error?.code, error?.stageId]).toEqual(['STAGE_FAILED', 'x'])
})

test('an asynchronous stage sees what its needs left, not how far the others have come', async () => {
  const inputs: string[] = []
  await runStages(
    `
- {id: a, use: set, inputs: {seen: of a}}
- {id: slow, use: slow, async: true, inputs: {ms: 20}}
- {id: x, use: slow, async: true, needs: [a, slow]}
- {id: b, use: set, inputs: {seen: of b}}
- {id: last, use: set, needs: [x]}`,
    {
      observers: [
        {
          beforeStage: ({ stageId, context }) =>
            void (stageId === 'x' && inputs.push(String(context['seen']))),
        },
      ],
    },
  )
  expect(inputs).toEqual(['of a'])
})
