import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { answer, runStages, services } from '../../test/support/run-stages.ts'
import type { OutboundRequest } from '../stages/define.ts'
import type { RunObserver } from './observer.ts'

test('stages run in list order, after the stages they need', async () => {
  const { events } = await runStages(`
- {id: a, use: set, needs: [c]}
- {id: b, use: set}
- {id: c, use: set}`)
  expect(events).toEqual([
    'c begins',
    'c ok',
    'a begins',
    'a ok',
    'b begins',
    'b ok',
    'answer 200',
    'end',
  ])
})

test('a guard runs first wherever it stands, and its failure is never continued', async () => {
  const { events, response } = await runStages(`
- {id: a, use: set}
- {id: bg, use: slow, async: true}
- {id: g, use: guard, continueOnError: true, needs: [a], inputs: {refuse: true}}`)
  expect([response.code, events]).toEqual([
    401,
    [
      'g begins',
      'g failed UNAUTHORIZED',
      'a notReached: the run was stopped before',
      'answer 401',
      'end',
    ],
  ])
})

test('a failure is continued by default, and the answer names the stage', async () => {
  const { response, error, continued } = await runStages(`
- {id: bad one, use: slow, inputs: {fail: broken}}
- {id: b, use: set, inputs: {code: 201}}`)
  expect([error, continued, response.code, response.headers['x-sluice-continued']]).toEqual([
    undefined,
    ['bad one'],
    201,
    'bad%20one',
  ])
})

test('a failure that may not be continued ends the run with the error body', async () => {
  const { response, events } = await runStages(`
- {id: a, use: slow, continueOnError: false, inputs: {fail: broken}}
- {id: b, use: set}`)
  expect([response.code, JSON.parse(response.body)]).toEqual([
    500,
    {
      error: {
        code: 500,
        status: 'Internal Server Error',
        message: 'broken: from stage with ID: a',
        type: 'STAGE_FAILED',
        stageId: 'a',
        source: { file: 'p.yaml', line: 5, column: 4 },
      },
    },
  ])
  expect(events).toContain('b notReached: the run was stopped before')
})

test('a stage that may not fail ends the pipeline quietly with an answer of 400 or more', async () => {
  const { response, error, events } = await runStages(`
- {id: a, use: set, continueOnError: false, inputs: {code: 404}}
- {id: b, use: set}`)
  expect([response.code, error, events.at(-3)]).toEqual([
    404,
    undefined,
    'b notReached: the pipeline ended before',
  ])
})

test('an answer of 400 or more ends nothing where failures are continued', async () => {
  const { response } = await runStages(`
- {id: a, use: set, inputs: {code: 404}}
- {id: b, use: set, inputs: {code: 202}}`)
  expect(response.code).toBe(202)
})

test('a stage can end the pipeline', async () => {
  const { events } = await runStages(`
- {id: a, use: set, inputs: {end: true}}
- {id: b, use: set}`)
  expect(events).toContain('b notReached: the pipeline ended before')
})

test('skipping is handed on along needs, with the chain as its reason', async () => {
  const { events } = await runStages(`
- {id: off, use: set, enabled: false}
- {id: a, use: set, trigger: {expression: 'envs.method == "GET"'}}
- {id: b, use: set, needs: [a]}
- {id: c, use: slow, async: true, needs: [b]}
- {id: d, use: set, needs: [off]}
- {id: e, use: set}`)
  expect(events.filter((event) => event.includes(':'))).toEqual([
    'off disabled: it is disabled',
    'a skippedByTrigger: its trigger was false: envs.method == "GET" where envs.method = "POST"',
    'b skippedByNeed: needs "a", whose trigger was false',
    'd skippedByNeed: needs "off", which is disabled',
    'c skippedByNeed: needs "b", which needs "a", whose trigger was false',
  ])
})

test('a trigger that cannot be evaluated ends the run with 400', async () => {
  const { response } = await runStages(`
- {id: a, use: set, trigger: {expression: context.nothing.there == 1}}`)
  expect([response.code, JSON.parse(response.body).error.type]).toEqual([400, 'TRIGGER_FAILED'])
})

test('a stage beyond its limit fails with the limit in the message, and its work is told', async () => {
  const { events, response } = await runStages(
    `\n- {id: a, use: slow, continueOnError: false, inputs: {ms: 5000}}`,
    {
      limits: { stageMs: 20 },
    },
  )
  expect([response.code, response.body.includes('20 ms'), events[1]]).toEqual([
    504,
    true,
    'a failed STAGE_TIMEOUT',
  ])
})

test('a run beyond its limit ends with 408 and cancels what is under way', async () => {
  const { events, response, background } = await runStages(
    `
- {id: x, use: slow, async: true, inputs: {ms: 5000}}
- {id: a, use: slow, inputs: {ms: 5000}}
- {id: b, use: set}`,
    { limits: { runMs: 30 } },
  )
  await background
  expect([response.code, events.slice(2).toSorted()]).toEqual([
    408,
    [
      'a cancelled RUN_TIMEOUT',
      'answer 408',
      'b notReached: the run was stopped before',
      'end',
      'x cancelled RUN_TIMEOUT',
    ].toSorted(),
  ])
})

test('a client that hangs up ends everything', async () => {
  const { error, events } = await runStages(
    `
- {id: x, use: slow, async: true, inputs: {ms: 5000}}
- {id: a, use: slow, needs: [x]}`,
    { signal: AbortSignal.timeout(20) },
  )
  expect([error?.code, events.includes('x cancelled RUN_TERMINATED')]).toEqual([
    'RUN_TERMINATED',
    true,
  ])
})

test('one run may send only so many requests', async () => {
  const sent: OutboundRequest[] = []
  const counting = {
    ...services,
    sendToEngine: (request: OutboundRequest) => {
      sent.push(request)
      return Promise.resolve(answer)
    },
  }
  const { error } = await runStages(
    `\n- {id: a, use: call, continueOnError: false, inputs: {times: 9}}`,
    {
      services: counting,
      limits: { calls: 3 },
    },
  )
  expect([error?.code, error?.message.includes('3'), sent.length]).toEqual(['CALL_LIMIT', true, 3])
})

test('an observer can hold a stage', async () => {
  let isFree = false
  const holder: RunObserver = {
    mayHold: true,
    async beforeStage({ stageId }) {
      if (stageId !== 'a') return
      await sleep(20)
      isFree = true
    },
  }
  const seen: boolean[] = []
  await runStages(`\n- {id: a, use: set}`, {
    observers: [holder, { afterStage: () => void seen.push(isFree) }],
  })
  expect(seen).toEqual([true])
})
