import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { errors } from '../errors.ts'
import { createMatcher } from '../pipeline/match.ts'
import { parsePipeline } from '../pipeline/parse-pipeline.ts'
import { compilePlan } from '../pipeline/plan.ts'
import type { ContextChanges, OutboundRequest, StageDefinition } from '../stages/define.ts'
import { defineStage } from '../stages/define.ts'
import type { RunObserver } from './observer.ts'
import { executeRun } from './run.ts'
import type { RunRequest, RunServices } from './run-request.ts'

/** Stages that do what their inputs say, so that a test reads as one piece of YAML. */
const kinds: StageDefinition[] = [
  defineStage({
    use: 'guard',
    summary: '-',
    position: 'guard',
    inputs: z.object({ refuse: z.boolean().optional() }),
    run: (_context, { refuse }) => {
      if (refuse) throw errors.unauthorized('no entry')
      return {}
    },
  }),
  defineStage({
    use: 'set',
    summary: '-',
    inputs: z.object({ code: z.number().optional(), end: z.boolean().optional() }).loose(),
    run: (_context, { code, end, ...keys }) => ({
      changes: { ...keys, ...(code !== undefined && { response: { code } }) } as ContextChanges,
      ...(end && { end }),
    }),
  }),
  defineStage({
    use: 'say',
    summary: 'Appends to the answer which keys of the context can be seen',
    inputs: z.object({ keys: z.string() }),
    run: ({ response, ...rest }, { keys }) => ({
      changes: {
        response: {
          body:
            response.body +
            keys
              .split(',')
              .map((key) => `${key}=${String(rest[key])};`)
              .join(''),
        },
      },
    }),
  }),
  defineStage({
    use: 'slow',
    summary: '-',
    mayBeAsync: true,
    inputs: z
      .object({ ms: z.number(), output: z.unknown(), changes: z.unknown(), fail: z.string() })
      .partial(),
    run: async (_context, { ms = 1, output, changes, fail }, { signal }) => {
      await sleep(ms, undefined, { signal })
      if (fail) throw new Error(fail)
      return { output, changes: changes as ContextChanges }
    },
  }),
  defineStage({
    use: 'call',
    summary: '-',
    mayBeAsync: true,
    inputs: z.object({ times: z.number() }),
    run: async (_context, { times }, { sendToEngine }) => {
      for (let left = times; left > 0; left--)
        await sendToEngine({ method: 'GET', url: '/', headers: {}, body: '' })
      return {}
    },
  }),
]

const answer = { code: 200, headers: {}, body: '{}' }
const services: RunServices = {
  sendToEngine: () => Promise.resolve(answer),
  fetch: () => Promise.resolve(answer),
  scriptFetch: () => Promise.reject(new Error('no script here')),
}

/** Runs the stages of a YAML list; lines of it are indented by nothing. */
async function run(stages: string, options: Partial<RunRequest> & { head?: string } = {}) {
  const { head = '', ...rest } = options
  const text = `${head}\nroutes: [{path: '/a/{index}/b', method: POST}]\nstages:\n${stages}`
  const { definition, sources, diagnostics } = parsePipeline(
    { path: 'p.yaml', text },
    { stages: kinds, resolveScript: () => ({ candidates: [] }) },
  )
  if (!definition) throw new Error(diagnostics[0]?.message)
  const request = {
    method: 'POST',
    url: '/a/x,y/b?q=1&q=2',
    headers: { host: 'h', referer: 'r', authorization: 'Basic secret' },
    body: '',
    clientIp: '::ffff:10.0.0.1',
    isTls: false,
    ...rest.request,
  }
  const match = createMatcher([compilePlan({ definition, sources }, kinds)]).match(request)
  if (!match || match === 'needsBody') throw new Error('no match')
  const events: string[] = []
  const result = await executeRun({
    runId: 'run',
    match,
    services,
    observers: [listen(events), ...(rest.observers ?? [])],
    ...rest,
    request,
  })
  return { ...result, events, body: result.response.body }
}

const listen = (events: string[]): RunObserver => ({
  stageWaiting: ({ stageId }) => events.push(`${stageId} waits`),
  beforeStage: ({ stageId }) => void events.push(`${stageId} begins`),
  afterStage: ({ stageId, droppedWrites }) =>
    events.push([`${stageId} ok`, ...droppedWrites].join(' ')),
  stageFailed: ({ stageId, error, continued, cancelled }) =>
    events.push(
      `${stageId} ${cancelled ? 'cancelled' : continued ? 'continued' : 'failed'} ${error.code}`,
    ),
  stageSkipped: ({ stageId, status, reason }) => events.push(`${stageId} ${status}: ${reason}`),
  responseReady: ({ response }) => events.push(`answer ${response.code}`),
  runEnded: () => events.push('end'),
})

test('stages run in list order, after the stages they need', async () => {
  const { events } = await run(`
- {id: a, use: set, needs: [c]}
- {id: b, use: set}
- {id: c, use: set}`)
  expect(events).toEqual([
    ...['c begins', 'c ok', 'a begins', 'a ok', 'b begins', 'b ok'],
    ...['answer 200', 'end'],
  ])
})

test('a guard runs first wherever it stands, and its failure is never continued', async () => {
  const { events, response } = await run(`
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
  const { response, error, continued } = await run(`
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
  const { response, events } = await run(`
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
  const { response, error, events } = await run(`
- {id: a, use: set, continueOnError: false, inputs: {code: 404}}
- {id: b, use: set}`)
  expect([response.code, error, events.at(-3)]).toEqual([
    404,
    undefined,
    'b notReached: the pipeline ended before',
  ])
})

test('an answer of 400 or more ends nothing where failures are continued', async () => {
  const { response } = await run(`
- {id: a, use: set, inputs: {code: 404}}
- {id: b, use: set, inputs: {code: 202}}`)
  expect(response.code).toBe(202)
})

test('a stage can end the pipeline', async () => {
  const { events } = await run(`
- {id: a, use: set, inputs: {end: true}}
- {id: b, use: set}`)
  expect(events).toContain('b notReached: the pipeline ended before')
})

test('skipping is handed on along needs, with the chain as its reason', async () => {
  const { events } = await run(`
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
  const { response } = await run(`
- {id: a, use: set, trigger: {expression: context.nothing.there == 1}}`)
  expect([response.code, JSON.parse(response.body).error.type]).toEqual([400, 'TRIGGER_FAILED'])
})

test('asynchronous stages run beside each other, and only those that need them see what they gave', async () => {
  const { body, events } = await run(`
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

test('an asynchronous stage cannot change what exists; the attempt is recorded', async () => {
  const { body, events } = await run(`
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
  const stages = (first: number, second: number) => `
- {id: x, use: slow, async: true, inputs: {ms: ${first}, changes: {k: of x}}}
- {id: y, use: slow, async: true, inputs: {ms: ${second}, changes: {k: of y}}}
- {id: b, use: say, needs: [y, x], inputs: {keys: 'k'}}`
  expect([(await run(stages(1, 20))).body, (await run(stages(20, 1))).body]).toEqual([
    'k=of x;',
    'k=of x;',
  ])
})

test('the answer does not wait for asynchronous stages that nobody needs', async () => {
  const { events, background } = await run(`
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
  const { response, events, background } = await run(`
- {id: x, use: slow, async: true, continueOnError: false, inputs: {fail: late, ms: 5}}
- {id: a, use: set}`)
  await background
  expect([response.code, events]).toEqual([
    200,
    ['x begins', 'a begins', 'a ok', 'answer 200', 'x failed STAGE_FAILED', 'end'],
  ])
})

test('a needed asynchronous stage that may not fail ends the run', async () => {
  const { error } = await run(`
- {id: x, use: slow, async: true, continueOnError: false, inputs: {fail: late, ms: 5}}
- {id: a, use: set, needs: [x]}`)
  expect([error?.code, error?.stageId]).toEqual(['STAGE_FAILED', 'x'])
})

test('a stage beyond its limit fails with the limit in the message, and its work is told', async () => {
  const { events, response } = await run(
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
  const { events, response } = await run(
    `
- {id: x, use: slow, async: true, inputs: {ms: 5000}}
- {id: a, use: slow, inputs: {ms: 5000}}
- {id: b, use: set}`,
    { limits: { runMs: 30 } },
  )
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
  const { error, events } = await run(
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
  const { error } = await run(
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
  await run(`\n- {id: a, use: set}`, {
    observers: [holder, { afterStage: () => void seen.push(isFree) }],
  })
  expect(seen).toEqual([true])
})

test('inputs are filled in from the context and envs, with their types', async () => {
  const { body } = await run(
    `
- {id: a, use: set, inputs: {list: '{{envs.sizes}}', text: 'n={{n}} of {{{envs.sizes}}}', deep: '{{context.envs.sizes}}'}}
- {id: b, use: say, inputs: {keys: 'list,text,deep'}}`,
    { head: 'envs: {sizes: [1, 2], n: 7}' },
  )
  expect(body).toBe('list=1,2;text=n=7 of [1,2];deep=1,2;')
})

test('an unknown name in an input is a failure that names it and its place', async () => {
  const { error } = await run(`
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
  const { error } = await run(
    `\n- {id: a, use: slow, continueOnError: false, inputs: {ms: '{{n}}'}}`,
    { head: 'envs: {n: many}' },
  )
  expect([error?.code, error?.message.includes('"ms"')]).toEqual(['INPUTS_INVALID', true])
})

test('envs come from the pipeline first, then the request, then the environment', async () => {
  const contexts: unknown[] = []
  await run(`\n- {id: a, use: set}`, {
    head: 'envs: {path: mine}',
    envs: { method: 'no', key: 'yes', path: 'no' },
    observers: [{ runStarted: ({ context }) => void contexts.push(context.envs) }],
  })
  expect(contexts).toEqual([
    {
      ...{ key: 'yes', method: 'POST', path: 'mine', isTLS: false, index: ['x', 'y'] },
      ...{ origin: 'h', referer: 'r', referrer: 'r', urlValues: { q: '1' }, ipv4: '10.0.0.1' },
    },
  ])
})

test('credentials of the caller are not in the context', async () => {
  const contexts: string[] = []
  await run(`\n- {id: a, use: set}`, {
    observers: [{ beforeStage: ({ context }) => void contexts.push(JSON.stringify(context)) }],
  })
  expect([contexts.length, contexts.join('').includes('secret')]).toEqual([1, false])
})

test('contexts given to observers share what did not change', async () => {
  const bodies: string[] = []
  const request = { body: 'x'.repeat(1_000_000) } as RunRequest['request']
  const contexts: object[] = []
  await run(`\n- {id: a, use: set, inputs: {k: 1}}\n- {id: b, use: set}`, {
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
