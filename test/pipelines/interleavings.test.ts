import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openPipeline } from '../support/run-pipeline.ts'

/** One script of a random pipeline; `needs` are places of stages before it. */
const drawn = fc.array(
  fc.record({
    async: fc.boolean(),
    needs: fc.array(fc.nat({ max: 7 }), { maxLength: 3 }),
    fails: fc.nat({ max: 5 }).map((one) => one === 0),
    continueOnError: fc.nat({ max: 4 }).map((one) => one > 0),
  }),
  { minLength: 2, maxLength: 8 },
)
/** Milliseconds each script takes; one that takes none does not wait at all. */
const delays = fc.array(fc.constantFrom(0, 0, 1, 4), { minLength: 8, maxLength: 8 })

const scriptOf = (place: number, isAsync: boolean, fails: boolean) => `
async function handleRequest() {
  const ms = JSON.parse(context.request.body)[${place}]
  if (ms > 0) await new Promise((go) => setTimeout(go, ms))
  ${fails ? `throw new Error('s${place}')` : ''}
  const seen = Object.keys(context).filter((key) => key[0] === 's' || key === 'k').sort()
  const text = context.response.body + '[${place}: ' + seen.map((key) => key + JSON.stringify(context[key])) + ']'
  return ${isAsync ? `{ k: ${place}, response: { body: 'no' } }` : '{ response: { body: text } }'}
}`

test('scripts in the real sandbox give the same answer, however long each of them takes', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, delays, delays, async (stages, one, other) => {
      const text = JSON.stringify({
        routes: [{ path: '/a', method: 'POST' }],
        stages: stages.map(({ needs, fails, async, continueOnError }, place) => ({
          id: `s${place}`,
          async,
          continueOnError,
          needs: [...new Set(needs)].filter((need) => need < place).map((need) => `s${need}`),
          script: scriptOf(place, async, fails),
        })),
      })
      await using pipeline = openPipeline({ path: 'p.json', text }, { serverUrl: 'http://x' })
      const answers = []
      for (const ms of [one, other]) {
        const { response } = await pipeline.run({ url: '/a', body: JSON.stringify(ms) })
        const { 'x-took': _took, ...headers } = response.headers
        answers.push({ ...response, headers })
      }
      expect(answers[0]).toEqual(answers[1])
    }),
    { numRuns: 25 },
  )
})
