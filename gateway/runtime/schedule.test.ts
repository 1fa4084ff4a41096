import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createMatcher } from '../pipeline/match.ts'
import { planOrder } from '../pipeline/order.ts'
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
  /** Its trigger: none, never true, or true when it sees what an asynchronous stage gave. */
  trigger: 'none' | 'no' | 'sees'
  /** What a synchronous stage does to the rest of the pipeline. */
  effect: 'none' | 'end' | 'refuse'
}

const drawn = fc
  .array(
    fc.record({
      async: fc.boolean(),
      needs: fc.array(fc.nat({ max: 9 }), { maxLength: 3 }),
      fails: fc.nat({ max: 5 }).map((one) => one === 0),
      continueOnError: fc.nat({ max: 3 }).map((one) => one > 0),
      enabled: fc.nat({ max: 9 }).map((one) => one > 0),
      trigger: fc.constantFrom('none', 'none', 'none', 'none', 'none', 'no', 'sees'),
      effect: fc.constantFrom('none', 'none', 'none', 'none', 'none', 'none', 'end', 'refuse'),
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

/** Holds a stage until it may go on. */
type Hold = (stageId: string) => Promise<unknown>

/** Every stage appends what it can see to the answer, and tries to overwrite what it may not. */
const kindWith = (hold: Hold): StageDefinition =>
  defineStage({
    use: 'look',
    summary: '-',
    mayBeAsync: true,
    inputs: z.object({ fails: z.boolean(), effect: z.string() }),
    run: async (context, { fails, effect }, { stageId, async }) => {
      await hold(stageId)
      if (fails) throw new Error(`${stageId} fails`)
      const seen = Object.keys(context)
        .filter((key) => /^s\d+$|^k$/.test(key))
        .toSorted()
        .map((key) => `${key}=${String(context[key])}`)
      const body = `${context.response.body}[${stageId}: ${seen.join()}]`
      return async
        ? { output: body, changes: { k: stageId, response: { body: 'no' }, envs: { x: 1 } } }
        : {
            changes: { response: { body, ...(effect === 'refuse' && { code: 403 }) } },
            end: effect === 'end',
          }
    },
  })

const never = () => Promise.reject(new Error('nothing is sent here'))

const triggers = { none: undefined, no: 'false', sees: 'context.k != nil' }

async function run(stages: readonly Drawn[], hold: Hold) {
  const text = JSON.stringify({
    routes: [{ path: '/a', method: 'GET' }],
    stages: stages.map(({ needs, fails, trigger, effect, ...stage }, place) => ({
      id: `s${place}`,
      use: 'look',
      ...stage,
      needs: needs.map((need) => `s${need}`),
      inputs: { fails, effect },
      ...(triggers[trigger] !== undefined && { trigger: { expression: triggers[trigger] } }),
    })),
  })
  const kinds = [kindWith(hold)]
  const { definition, sources } = parsePipeline(
    { path: 'p.json', text },
    { stages: kinds, resolveScript: () => ({ candidates: [] }) },
  )
  if (!definition) throw new Error('the drawn pipeline is wrong')
  const request = { method: 'GET', url: '/a', headers: {}, body: '', clientIp: '', isTls: false }
  const match = createMatcher([compilePlan({ definition, sources }, kinds)]).match(request)
  if (!match || match === 'needsBody') throw new Error('no match')
  const events: { what: 'begins' | 'over'; stageId: string; ran: boolean }[] = []
  const overwritten: string[] = []
  const observer: RunObserver = {
    beforeStage: ({ stageId }) => void events.push({ what: 'begins', stageId, ran: true }),
    afterStage: ({ stageId, context, output }) => {
      events.push({ what: 'over', stageId, ran: true })
      if (stages[Number(stageId.slice(1))]?.async)
        for (const key of Object.keys(context))
          if (output[key] !== context[key]) overwritten.push(`${stageId} ${key}`)
    },
    stageFailed: ({ stageId }) => void events.push({ what: 'over', stageId, ran: true }),
    stageSkipped: ({ stageId }) => void events.push({ what: 'over', stageId, ran: false }),
  }
  const services = { sendToEngine: never, fetch: never, scriptFetch: never }
  const result = await executeRun({ runId: 'r', match, request, services, observers: [observer] })
  await result.background
  const { 'x-took': _took, ...headers } = result.response.headers
  return { answer: { ...result.response, headers }, events, overwritten }
}

/** How long each stage takes. */
const paces = fc
  .func<[string], number>(fc.nat({ max: 4 }))
  .map((pace) => (stageId: string) => nap(pace(stageId)))

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

test('the answer is the same in whatever order stages that wait at once go on', async () => {
  const runIn = (stages: readonly Drawn[], scheduler: fc.Scheduler) =>
    scheduler.waitFor(run(stages, (stageId) => scheduler.schedule(Promise.resolve(), stageId)))
  await fc.assert(
    fc.asyncProperty(drawn, fc.scheduler(), fc.scheduler(), async (stages, one, other) => {
      const [first, second] = [await runIn(stages, one), await runIn(stages, other)]
      expect(first.answer).toEqual(second.answer)
    }),
    { numRuns: 300 },
  )
})

test('an asynchronous stage never changes request, response, envs or any key there is', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, paces, async (stages, pace) => {
      expect((await run(stages, pace)).overwritten).toEqual([])
    }),
    { numRuns: 100 },
  )
})

test('the order of a plan has every stage once, behind all it needs, and a circle is found', () => {
  const needs = fc.array(fc.array(fc.nat({ max: 11 }), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(needs, (drawnNeeds) => {
      const stages = drawnNeeds.map((some, at) => ({
        id: `s${at}`,
        needs: some.filter((need) => need < drawnNeeds.length).map((need) => `s${need}`),
      }))
      const planned = planOrder(stages)
      if ('cycle' in planned) {
        const [first = '', ...rest] = planned.cycle
        expect(rest.at(-1)).toBe(first)
        for (const [at, id] of planned.cycle.slice(0, -1).entries())
          expect(stages.find((stage) => stage.id === id)?.needs).toContain(rest[at])
        return
      }
      expect(new Set(planned.order)).toEqual(new Set(stages.map(({ id }) => id)))
      for (const { id, needs } of stages)
        for (const need of needs)
          expect(planned.order.indexOf(need)).toBeLessThan(planned.order.indexOf(id))
    }),
    { numRuns: 1_000 },
  )
})
