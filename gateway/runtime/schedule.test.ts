import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createMatcher } from '../pipeline/match.ts'
import { parsePipeline } from '../pipeline/parse-pipeline.ts'
import { compilePlan } from '../pipeline/plan.ts'
import { defineStage, type StageDefinition } from '../stages/define.ts'
import type { RunObserver } from './observer.ts'
import { executeRun } from './run.ts'

/** One stage of a random pipeline; `needs` are places of other stages. */
interface Drawn {
  async: boolean
  needs: number[]
  fails: boolean
  continueOnError: boolean
  enabled: boolean
  skips: boolean
}

const drawn = fc
  .array(
    fc.record({
      async: fc.boolean(),
      needs: fc.array(fc.nat({ max: 9 }), { maxLength: 3 }),
      fails: fc.nat({ max: 5 }).map((one) => one === 0),
      continueOnError: fc.nat({ max: 3 }).map((one) => one > 0),
      enabled: fc.nat({ max: 9 }).map((one) => one > 0),
      skips: fc.nat({ max: 9 }).map((one) => one === 0),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .chain((stages) =>
    // A random order in which needs point backwards makes a graph without circles, listed in any order.
    fc.shuffledSubarray([...stages.keys()], { minLength: stages.length }).map((order) => {
      const rank = new Map(order.map((place, at) => [place, at]))
      return stages.map((stage, place) => ({
        ...stage,
        needs: [...new Set(stage.needs)].filter(
          (need) => need < stages.length && (rank.get(need) ?? 0) < (rank.get(place) ?? 0),
        ),
      }))
    }),
  )

const nap = (turns: number): Promise<void> =>
  turns <= 0
    ? Promise.resolve()
    : new Promise((resolve) => {
        setImmediate(() => resolve(nap(turns - 1)))
      })

/** Every stage appends what it can see to the answer, and tries to overwrite what it may not. */
const kindWith = (pace: (stageId: string) => number): StageDefinition =>
  defineStage({
    use: 'look',
    summary: '-',
    mayBeAsync: true,
    inputs: z.object({ fails: z.boolean() }),
    run: async (context, { fails }, { stageId, async }) => {
      await nap(pace(stageId))
      if (fails) throw new Error(`${stageId} fails`)
      const seen = Object.keys(context)
        .filter((key) => /^s\d+$|^k$/.test(key))
        .toSorted()
        .map((key) => `${key}=${String(context[key])}`)
      const body = `${context.response.body}[${stageId}: ${seen.join()}]`
      return async
        ? { output: body, changes: { k: stageId, response: { body: 'no' }, envs: { x: 1 } } }
        : { changes: { response: { body } } }
    },
  })

const never = () => Promise.reject(new Error('nothing is sent here'))

async function run(stages: readonly Drawn[], pace: (stageId: string) => number) {
  const text = JSON.stringify({
    routes: [{ path: '/a', method: 'GET' }],
    stages: stages.map(({ needs, fails, skips, ...stage }, place) => ({
      id: `s${place}`,
      use: 'look',
      ...stage,
      needs: needs.map((need) => `s${need}`),
      inputs: { fails },
      ...(skips && { trigger: { expression: 'false' } }),
    })),
  })
  const kinds = [kindWith(pace)]
  const { definition, sources } = parsePipeline(
    { path: 'p.json', text },
    { stages: kinds, resolveScript: () => ({ candidates: [] }) },
  )
  if (!definition) throw new Error('the drawn pipeline is wrong')
  const request = { method: 'GET', url: '/a', headers: {}, body: '', clientIp: '', isTls: false }
  const match = createMatcher([compilePlan({ definition, sources }, kinds)]).match(request)
  if (!match || match === 'needsBody') throw new Error('no match')
  const events: { what: 'begins' | 'over'; stageId: string; ran: boolean }[] = []
  const reserved: string[] = []
  const observer: RunObserver = {
    beforeStage: ({ stageId }) => void events.push({ what: 'begins', stageId, ran: true }),
    afterStage: ({ stageId, context, output }) => {
      events.push({ what: 'over', stageId, ran: true })
      const isAsync = stages[Number(stageId.slice(1))]?.async
      if (isAsync && (output.response !== context.response || output.envs !== context.envs))
        reserved.push(stageId)
    },
    stageFailed: ({ stageId }) => void events.push({ what: 'over', stageId, ran: true }),
    stageSkipped: ({ stageId }) => void events.push({ what: 'over', stageId, ran: false }),
  }
  const services = { sendToEngine: never, fetch: never, scriptFetch: never }
  const result = await executeRun({ runId: 'r', match, request, services, observers: [observer] })
  await result.background
  const { 'x-took': _took, ...headers } = result.response.headers
  return { answer: { ...result.response, headers }, events, reserved }
}

const paces = fc.func<[string], number>(fc.nat({ max: 4 }))

test('no stage begins before all it needs are over, and synchronous stages follow one another', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, paces, async (stages, pace) => {
      const { events } = await run(stages, pace)
      const over = new Set<string>()
      let underWay: string | undefined
      for (const { what, stageId } of events) {
        const stage = stages[Number(stageId.slice(1))]
        if (what === 'begins') {
          expect(stage?.needs.filter((need) => !over.has(`s${need}`))).toEqual([])
          if (!stage?.async) {
            expect(underWay).toBeUndefined()
            underWay = stageId
          }
        } else {
          over.add(stageId)
          if (underWay === stageId) underWay = undefined
        }
      }
      expect(over.size).toBe(stages.length)
    }),
    { numRuns: 150 },
  )
})

test('synchronous stages without needs between them keep the order of the list', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, paces, async (drawnStages, pace) => {
      const stages = drawnStages.map((stage) => ({ ...stage, needs: [] }))
      const { events } = await run(stages, pace)
      const begun = events
        .filter(
          ({ what, stageId }) => what === 'begins' && !stages[Number(stageId.slice(1))]?.async,
        )
        .map(({ stageId }) => Number(stageId.slice(1)))
      expect(begun).toEqual(begun.toSorted((a, b) => a - b))
    }),
    { numRuns: 100 },
  )
})

test('the answer is the same however fast the stages are', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, paces, paces, async (stages, one, other) => {
      const [first, second] = [await run(stages, one), await run(stages, other)]
      expect(first.answer).toEqual(second.answer)
    }),
    { numRuns: 200 },
  )
})

test('an asynchronous stage never changes request, response or envs', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, paces, async (stages, pace) => {
      expect((await run(stages, pace)).reserved).toEqual([])
    }),
    { numRuns: 100 },
  )
})
