import type ivm from 'isolated-vm'
import { beforeEach, expect, test, vi } from 'vitest'
import { loadScripts } from '../../test/support/run-script.ts'

const SLOW = `function handleRequest() {
  for (const end = Date.now() + 120; Date.now() < end; );
  if (context.envs.bomb) for (;;);
  globalThis.leak = 1
  return { leak: typeof globalThis.leak }
}`

const { counter } = vi.hoisted(() => ({ counter: { opened: 0 } }))

// The real thing, counted: how many isolates there were cannot be seen from anywhere else.
vi.mock('isolated-vm', async (importOriginal) => {
  const { default: original } = await importOriginal<{ default: typeof ivm }>()
  const Isolate = function (options: ivm.IsolateOptions) {
    counter.opened++
    return new original.Isolate(options)
  }
  return { default: Object.create(original, { Isolate: { value: Isolate } }) }
})

beforeEach(() => {
  counter.opened = 0
})

const contextOf = (bomb: boolean) => ({ request: {}, response: {}, envs: { bomb } })

test('slow runs one after another share an isolate', async () => {
  using program = loadScripts(SLOW)
  for (let n = 0; n < 8; n++) {
    const [result] = await program.run({ context: contextOf(false) })
    expect(result?.error).toBeUndefined()
    expect(result?.context.leak).toBe('undefined')
  }
  // The one that all share, and the one that slow runs have to themselves; one more by accident.
  expect(counter.opened).toBeLessThanOrEqual(3)
})

test('slow runs at the same time share an isolate, one after another', async () => {
  using program = loadScripts(SLOW)
  await program.run({ context: contextOf(false) })
  const runs = Array.from({ length: 6 }, () =>
    program.run({ context: contextOf(false), timeoutMs: 10_000 }),
  )
  for (const [result] of await Promise.all(runs)) expect(result?.error).toBeUndefined()
  expect(counter.opened).toBeLessThanOrEqual(5)
})

test('an isolate in which a run was ended by force takes no other run', async () => {
  using program = loadScripts(SLOW)
  const [bomb] = await program.run({ context: contextOf(true), timeoutMs: 300 })
  expect(bomb?.error?.code).toBe('SCRIPT_TIMEOUT')
  const before = counter.opened
  const [fine] = await program.run({ context: contextOf(false), timeoutMs: 10_000 })
  expect(fine?.error).toBeUndefined()
  expect(counter.opened).toBeGreaterThan(before)
})
