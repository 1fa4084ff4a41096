import { expect, test } from 'vitest'
import { makeContext, runStage } from '../../test/support/stage-run.ts'
import { authorization } from './authorization.ts'

test('guards its routes before the run, and changes nothing in it', async () => {
  const context = makeContext({ request: { body: 'x' } })
  expect(authorization.position).toBe('guard')
  expect(await runStage(authorization, context, {})).toEqual(context)
})
