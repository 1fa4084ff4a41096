import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/start-sluice.ts'
import { createBackground } from './background.ts'

interface Calls extends Record<string, (input: never) => unknown> {
  double(input: number): number
  fail(input: string): never
  die(input: null): never
  crash(input: null): void
  id(input: null): number
  started(input: null): unknown
}

/** A thread with these calls, its file gone at the end of the test. */
function openThread() {
  const folder = temporaryFolder()
  const file = join(folder.dir, 'thread.mjs')
  const serve = new URL('./serve-background.ts', import.meta.url).href
  writeFileSync(
    file,
    `import { threadId, workerData } from 'node:worker_threads'
     import { serveBackground } from '${serve}'
     serveBackground({
       double: (input) => input * 2,
       fail: (why) => { throw new Error(why) },
       die: () => process.exit(3),
       crash: () => process.nextTick(() => { throw new Error('by accident') }),
       id: () => threadId,
       started: () => workerData,
     })`,
  )
  const thread = createBackground<Calls>(pathToFileURL(file), { with: 'data' })
  return {
    thread,
    async [Symbol.asyncDispose]() {
      await thread.close()
      folder[Symbol.dispose]()
    },
  }
}

test('a thread starts with its first call, and calls do not mix', async () => {
  await using opened = openThread()
  const { thread } = opened
  expect(thread.hasStarted()).toBe(false)
  const doubled = await Promise.all([1, 2, 3].map((input) => thread.call('double', input)))
  expect([doubled, thread.hasStarted()]).toEqual([[2, 4, 6], true])
  expect(await thread.call('started', null)).toEqual({ with: 'data' })
})

test('a call that throws rejects alone', async () => {
  await using opened = openThread()
  const { thread } = opened
  const both = [thread.call('fail', 'disk full'), thread.call('double', 4)]
  expect(await Promise.allSettled(both)).toMatchObject([
    { reason: { code: 'STATE_UNAVAILABLE', message: 'disk full' } },
    { value: 8 },
  ])
})

test('a thread that dies rejects what it was asked, and the next call starts another', async () => {
  await using opened = openThread()
  const asked = [opened.thread.call('die', null), opened.thread.call('double', 1)]
  const ended = { code: 'STATE_UNAVAILABLE', message: expect.stringContaining('thread.mjs ended') }
  expect(await Promise.allSettled(asked)).toMatchObject([{ reason: ended }, { reason: ended }])
  expect(await opened.thread.call('double', 5)).toBe(10)
})

test('a thread that took the place of a crashed one is kept', async () => {
  await using opened = openThread()
  const { thread } = opened
  const first = await thread.call('id', null)
  const [, left] = await Promise.allSettled([thread.call('crash', null), thread.call('id', null)])
  expect(left).toMatchObject({ reason: { message: expect.stringContaining('by accident') } })
  const second = await thread.call('id', null)
  expect(second).not.toBe(first)
  for (let i = 0; i < 5; i++) {
    await sleep(20)
    expect(await thread.call('id', null)).toBe(second)
  }
})

test('a closed thread starts again when it is asked', async () => {
  await using opened = openThread()
  await opened.thread.call('double', 1)
  await opened.thread.close()
  expect(await opened.thread.call('double', 6)).toBe(12)
})
