import { openConnection } from '../engine/connection.ts'
import { requireSameKey } from '../envs/require-same-key.ts'
import type { SecretStore } from '../envs/secret-store.ts'
import { openClusterState } from '../state/cluster.ts'
import type { SharedState } from '../state/shared-state.ts'
import { log } from './log.ts'

/**
 * Opens the state in the engine at `address`, which stays there whatever engine requests go to. When
 * the engine is away the gateway starts all the same and begins to serve once it has read the state.
 * @throws {GatewayError} FLAG_INVALID when the secrets there were sealed with another key.
 */
export async function openStateOfCluster(
  { address, intervalMs }: { address: string; intervalMs: number },
  secrets: SecretStore,
): Promise<SharedState> {
  const engine = openConnection('remote', address)
  let isChecked = false
  let checking: Promise<void> | undefined
  const state = openClusterState(engine, {
    intervalMs,
    onHealth({ isLoaded, problem }) {
      if (problem !== undefined) log.error('state-unavailable', { message: problem })
      else log.info('state-available', { engine: engine.url })
      if (isLoaded && problem === undefined && !isChecked) void checkLater()
    },
  })
  const checkKey = () =>
    (checking ??= requireSameKey(state, secrets)
      .then(() => void (isChecked = true))
      .finally(() => (checking = undefined)))
  const checkLater = () =>
    checkKey().catch((problem: unknown) =>
      log.error('secrets-unreadable', { message: String(problem) }),
    )
  const close = async () => {
    await state.close()
    await engine.pool.close()
  }
  const isThere = await state.sync().then(
    () => true,
    () => false,
  )
  if (isThere)
    await checkKey().catch(async (problem: unknown) => {
      await close()
      throw problem
    })
  return {
    ...state,
    // What cannot be unsealed would be served as if it were not there.
    health: () => ({ ...state.health(), isLoaded: state.health().isLoaded && isChecked }),
    close,
  }
}
