import { openConnection } from '../../gateway/engine/connection.ts'
import { openClusterState } from '../../gateway/state/cluster.ts'
import { describeWithOpenSearch, useOpenSearch } from '../support/engines.ts'
import { testSharedState } from '../support/shared-state-conformance.ts'

describeWithOpenSearch('shared state in a real index', () => {
  testSharedState(async () => {
    const { url } = await useOpenSearch()
    // The index has one name: every test begins with it removed.
    await fetch(`${url}/.sluice-state`, { method: 'DELETE' })
    const connection = openConnection('remote', url)
    const open = () => openClusterState(connection, { intervalMs: 300, onHealth() {} })
    const [first, second] = [open(), open()]
    return {
      first,
      second,
      reopen: async () => open(),
      async close() {
        await Promise.all([first.close(), second.close()])
        await connection.pool.close()
      },
    }
  })
})
