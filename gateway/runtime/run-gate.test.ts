import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { GatewayError } from '../errors.ts'
import { createRunGate } from './run-gate.ts'

const never = new AbortController().signal
const MB = 1024 * 1024

test('runs beyond the limit wait, and go in the order they came', async () => {
  const gate = createRunGate(() => ({ runs: 1, waiting: 2 }))
  expect(gate.enter(0, never)).toBe(true)
  const order: string[] = []
  const waiting = ['b', 'c'].map(async (name) => {
    await gate.enter(0, never)
    order.push(name)
  })
  expect(gate.state()).toEqual({ running: 1, waiting: 2, background: 0 })
  gate.leave(undefined)
  await waiting[0]
  expect([order, gate.state()]).toEqual([['b'], { running: 1, waiting: 1, background: 0 }])
  gate.leave(undefined)
  await waiting[1]
  gate.leave(undefined)
  expect([order, gate.state()]).toEqual([['b', 'c'], { running: 0, waiting: 0, background: 0 }])
})

test('past the queue a request is told what is full and when to come back', () => {
  const gate = createRunGate(() => ({ runs: 1, waiting: 0 }))
  gate.check()
  void gate.enter(0, never)
  for (const knock of [() => gate.check(), () => gate.enter(0, never)])
    try {
      knock()
      expect.unreachable()
    } catch (problem) {
      expect(problem).toBeInstanceOf(GatewayError)
      expect(problem).toMatchObject({ code: 'OVERLOADED', status: 503, retryAfterSeconds: 1 })
      expect(String(problem)).toMatch(/busy with 1 runs.*limits\.runs \(1\).*limits\.waiting \(0\)/)
    }
})

test('whoever leaves the queue makes room in it and never runs', async () => {
  const gate = createRunGate(() => ({ runs: 1, waiting: 1 }))
  void gate.enter(0, never)
  const client = new AbortController()
  const gone = gate.enter(0, client.signal)
  client.abort()
  expect(await gone).toBe(false)
  expect(gate.enter(0, client.signal)).toBe(false)
  const next = gate.enter(0, never)
  gate.leave(undefined)
  expect(await next).toBe(true)
})

test('bodies that wait may not fill the memory, however short the queue is', () => {
  const gate = createRunGate(() => ({ runs: 1, waiting: 100 }))
  void gate.enter(200 * MB, never)
  void gate.enter(200 * MB, never)
  expect(() => gate.enter(200 * MB, never)).toThrow('1 requests wait')
  void gate.enter(MB, never)
  expect(gate.state().waiting).toBe(2)
})

test('stages in the background keep a place only when as many runs have some already', async () => {
  const gate = createRunGate(() => ({ runs: 1, waiting: 9 }))
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  void gate.enter(0, never)
  gate.leave(first.promise)
  expect([gate.state(), gate.enter(0, never)]).toEqual([
    { running: 0, waiting: 0, background: 1 },
    true,
  ])
  gate.leave(second.promise)
  expect(gate.state()).toEqual({ running: 1, waiting: 0, background: 1 })
  const waits = gate.enter(0, never)
  second.resolve()
  expect(await waits).toBe(true)
  first.resolve()
  await first.promise
  expect(gate.state()).toEqual({ running: 1, waiting: 0, background: 0 })
})

test('whatever comes and goes, no more run than may, nobody is lost, and all ends at nothing', async () => {
  const move = fc.oneof(
    fc.record({ kind: fc.constant('come' as const) }),
    fc.record({ kind: fc.constant('end' as const), place: fc.nat({ max: 20 }) }),
    fc.record({ kind: fc.constant('hangUp' as const), place: fc.nat({ max: 20 }) }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(move, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat({ max: 4 }),
      async (moves, runs, waiting) => {
        const gate = createRunGate(() => ({ runs, waiting }))
        const running: AbortController[] = []
        const queue: AbortController[] = []
        const come = async () => {
          const client = new AbortController()
          const entry = gate.enter(0, client.signal)
          if (entry !== true) queue.push(client)
          if (entry === true || (await entry)) running.push(client)
          queue.splice(0, queue.length, ...queue.filter((one) => one !== client))
        }
        for (const step of moves) {
          const isFull = running.length === runs && queue.length === waiting
          if (step.kind === 'come') {
            const coming = come()
            if (isFull) await expect(coming).rejects.toThrow('busy')
          } else if (step.kind === 'end' && running.length > 0) {
            running.splice(step.place % running.length, 1)
            gate.leave(undefined)
          } else if (step.kind === 'hangUp') queue[step.place % queue.length]?.abort()
          await Promise.resolve()
          await new Promise(setImmediate)
          expect(gate.state()).toEqual({
            running: running.length,
            waiting: queue.length,
            background: 0,
          })
          expect(queue.length === 0 || running.length === runs).toBe(true)
        }
        while (running.length > 0) {
          running.pop()
          gate.leave(undefined)
          await new Promise(setImmediate)
        }
        expect(gate.state()).toEqual({ running: 0, waiting: 0, background: 0 })
      },
    ),
    { numRuns: 100 },
  )
})
