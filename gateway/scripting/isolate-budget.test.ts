import { setTimeout as sleep } from 'node:timers/promises'
import { availableParallelism } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { sampleContext } from '../../test/support/run-script.ts'
import { errors } from '../errors.ts'
import { createSandbox } from './create-sandbox.ts'
import type { Sandbox, ScriptFetchReply } from './sandbox.ts'

const reply = { status: 200, statusText: 'OK', headers: {}, redirected: false, url: '' }

/** A sandbox of two isolates, and programs whose scripts wait for answers that the test gives. */
function openSandbox(text: string) {
  const sandbox = createSandbox({ maxIsolates: () => 2 })
  onTestFinished(() => sandbox.close())
  const calls: { url: string; answer(): void }[] = []
  const load = () => {
    const script = { stageId: 's', file: 's.js', line: 1, column: 1, text }
    const program = sandbox.load([script], { memoryMb: 16 })
    return (name: string, signal = new AbortController().signal, timeoutMs = 10_000) =>
      program.run({
        runId: name,
        context: { ...sampleContext(), name },
        stages: [{ stageId: 's', continueOnError: false }],
        limits: { timeoutMs, timeoutName: 'the limit here' },
        signal,
        host: {
          fetch: ({ url }) =>
            new Promise<ScriptFetchReply>((resolve) => {
              calls.push({ url, answer: () => resolve({ ...reply, body: url }) })
            }),
        },
      })
  }
  return { sandbox, calls, load }
}

const asks = `async function handleRequest() {
  return { answer: await (await fetch('http://x/' + context.name)).text() }
}`
const until = async (isSo: () => boolean) => {
  while (!isSo()) await sleep(2)
}
const waitingIn = (sandbox: Sandbox) => sandbox.state().waitingScripts

test('programs beyond the limit wait for an isolate, and get one in the order they came', async () => {
  const { sandbox, calls, load } = openSandbox(asks)
  const runs = ['a', 'b', 'c', 'd'].map((name) => load()(name))
  await until(() => calls.length === 2)
  expect(sandbox.state()).toEqual({ isolates: 2, waitingScripts: 2 })
  for (let answered = 0; answered < 4; answered++) {
    calls[answered]?.answer()
    await until(() => calls.length >= Math.min(answered + 3, 4))
    expect(sandbox.state().isolates).toBeLessThanOrEqual(2)
  }
  expect((await Promise.all(runs)).map(([result]) => result?.context['answer'])).toEqual(
    ['a', 'b', 'c', 'd'].map((name) => `http://x/${name}`),
  )
  expect(calls.map(({ url }) => url.at(-1)).slice(2)).toEqual(['c', 'd'])
})

test('a program that is always busy gives its isolate up to one that waits', async () => {
  const { sandbox, calls, load } = openSandbox(asks)
  const [busy, other, late] = [load(), load(), load()]
  const runs = [busy('busy 1'), other('other')]
  await until(() => calls.length === 2)
  const waits = late('late')
  runs.push(busy('busy 2'))
  expect(waitingIn(sandbox)).toBe(2)
  // Whoever ends first frees an isolate, however many more runs its program would have.
  for (let answered = 0; answered < 4; answered++) {
    await until(() => calls.length > answered)
    calls[answered]?.answer()
  }
  expect((await waits)[0]?.context['answer']).toBe('http://x/late')
  expect((await Promise.all(runs)).every(([result]) => !result?.error)).toBe(true)
})

test('a run that waits for an isolate ends when its signal does', async () => {
  const { sandbox, calls, load } = openSandbox(asks)
  const runs = [load()('a'), load()('b')]
  await until(() => calls.length === 2)
  const controller = new AbortController()
  const waits = load()('c', controller.signal)
  expect(waitingIn(sandbox)).toBe(1)
  controller.abort(errors.runTerminated('gone'))
  expect(await waits).toMatchObject([{ error: { code: 'RUN_TERMINATED', message: 'gone' } }])
  expect(waitingIn(sandbox)).toBe(0)
  for (const { answer } of calls) answer()
  await Promise.all(runs)
  expect(calls.length).toBe(2)
})

test('isolates that are kept for slow runs are few, however many programs have such runs', async () => {
  const { sandbox, load } = openSandbox(
    'const end = Date.now() + 150; while (Date.now() < end); context.done = true',
  )
  const programs = Array.from({ length: 3 + availableParallelism() }, load)
  for (const [at, run] of programs.entries()) {
    const [result] = await run(`r${at}`)
    expect(result?.context['done']).toBe(true)
  }
  await sleep(20)
  expect(sandbox.state().isolates).toBeLessThanOrEqual(2 + Math.max(1, availableParallelism() - 1))
  // Whatever was closed is opened anew.
  expect((await programs[0]?.('again'))?.[0]?.context['done']).toBe(true)
})

test('endless loops of many programs hold no more threads than are to spare', async () => {
  const { sandbox, load } = openSandbox('for (;;);')
  const runs = Array.from({ length: 3 + availableParallelism() }, (_, at) =>
    load()(`r${at}`, undefined, 400),
  )
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, sandbox.state().isolates)), 5)
  const results = await Promise.all(runs)
  clearInterval(watch)
  expect(results.map(([result]) => result?.error?.code)).toEqual(runs.map(() => 'SCRIPT_TIMEOUT'))
  expect(most).toBeLessThanOrEqual(2 + Math.max(1, availableParallelism() - 1))
  expect(sandbox.state().waitingScripts).toBe(0)
})
