import { join } from 'node:path'
import { describe } from 'vitest'
import { startTestLocalEngine } from '../../test/support/engines.ts'
import { testSharedState } from '../../test/support/shared-state-conformance.ts'
import { temporaryFolder } from '../../test/support/start-sluice.ts'
import { openConnection } from '../engine/connection.ts'
import { openClusterState } from './cluster.ts'
import { openSqliteSharedState } from './sqlite-shared.ts'

describe('SQLite', () => {
  testSharedState(async () => {
    const folder = temporaryFolder()
    const open = () => openSqliteSharedState(join(folder.dir, 'state.db'))
    const [first, second] = [open(), open()]
    return {
      first,
      second,
      reopen: async () => open(),
      async close() {
        await Promise.all([first.close(), second.close()])
        folder[Symbol.dispose]()
      },
    }
  })
})

describe('cluster, on the local engine', () => {
  testSharedState(async () => {
    const engine = await startTestLocalEngine()
    const connection = openConnection('remote', engine.url)
    const open = () => openClusterState(connection, { intervalMs: 200, onHealth() {} })
    const [first, second] = [open(), open()]
    return {
      first,
      second,
      reopen: async () => open(),
      async close() {
        await Promise.all([first.close(), second.close()])
        await connection.pool.close()
        await engine.stop()
      },
    }
  })
})
