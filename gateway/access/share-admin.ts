import { errors, GatewayError } from '../errors.ts'
import type { SharedState } from '../state/shared-state.ts'
import type { StateStore } from '../state/state-store.ts'
import { type AdminSecrets, makeAdmin, readAdmin, replaceAdmin } from './credentials.ts'
import type { PasswordHash } from './passwords.ts'

interface SharedAdmin {
  username: string
  hash: PasswordHash
  /** The password, sealed with the key of the cluster. */
  sealed: string
}

const KIND = 'admin'
const KEY = 'admin'

/**
 * Gives all gateways of a cluster one administrator: that of the first one. A gateway that starts
 * while the engine is away keeps its own until it starts again.
 * @throws {GatewayError} STATE_UNAVAILABLE
 */
export async function shareAdmin(
  shared: SharedState,
  state: StateStore,
  secrets: AdminSecrets & {
    seal(name: string, value: string): string
    unseal(name: string, sealed: string): string
  },
) {
  if (!shared.health().isLoaded) return
  if (!shared.get(KIND, KEY)) {
    const { username, hash, password } =
      readAdmin(state, secrets) ?? (await makeAdmin(state, secrets))
    const admin: SharedAdmin = { username, hash, sealed: secrets.seal(KIND, password) }
    await shared.put(KIND, KEY, admin, { ifVersion: null }).catch((problem: unknown) => {
      // Another gateway was first; its administrator is there now.
      if (!(problem instanceof GatewayError && problem.code === errors.etagMismatch.code))
        throw problem
    })
  }
  // Safe: only this file writes the kind.
  const admin = shared.get(KIND, KEY)?.value as SharedAdmin | undefined
  if (admin && admin.username !== readAdmin(state, secrets)?.username)
    replaceAdmin(state, secrets, {
      username: admin.username,
      hash: admin.hash,
      password: secrets.unseal(KIND, admin.sealed),
    })
}
