import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/start-sluice.ts'
import { createClaims } from './claims.ts'
import { openSqliteSharedState } from './sqlite-shared.ts'

test('of several gateways one gets each tick, and a restart gives none away twice', async () => {
  using folder = temporaryFolder()
  const states = Array.from({ length: 3 }, () =>
    openSqliteSharedState(join(folder.dir, 'state.db')),
  )
  const claims = states.map(createClaims)
  for (let tick = 60_000; tick <= 300_000; tick += 60_000) {
    const answers = await Promise.all(claims.map((claim) => claim('nightly', tick)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await claims[0]?.('other', tick)).toBe(true)
  }
  expect(await claims[1]?.('nightly', 240_000)).toBe(false)
  const again = openSqliteSharedState(join(folder.dir, 'state.db'))
  expect(await createClaims(again)('nightly', 300_000)).toBe(false)
  expect(await createClaims(again)('nightly', 360_000)).toBe(true)
  await Promise.all([...states, again].map((state) => state.close()))
})
