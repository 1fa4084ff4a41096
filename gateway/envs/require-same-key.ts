import { errors, GatewayError } from '../errors.ts'
import type { SharedState } from '../state/shared-state.ts'
import type { SecretStore } from './secret-store.ts'

const KIND = 'secret-check'
const KEY = 'key'

/**
 * Makes sure that all gateways of a cluster can open one another's secrets: the first one leaves a
 * sealed word behind, the others open it.
 * @throws {GatewayError} FLAG_INVALID when it was sealed with another key; STATE_UNAVAILABLE.
 */
export async function requireSameKey(
  state: SharedState,
  secrets: Pick<SecretStore, 'seal' | 'unseal'>,
) {
  if (!state.get(KIND, KEY))
    await state
      .put(KIND, KEY, secrets.seal(KIND, 'sluice'), { ifVersion: null })
      .catch((problem: unknown) => {
        // Another gateway was first; its word is there now.
        if (!(problem instanceof GatewayError && problem.code === errors.etagMismatch.code))
          throw problem
      })
  try {
    secrets.unseal(KIND, String(state.get(KIND, KEY)?.value))
  } catch (cause) {
    throw errors.flagInvalid(
      'SLUICE_SECRET_KEY is not the one the secrets of this cluster were sealed with; start every ' +
        'gateway of a cluster with the same one',
      { cause },
    )
  }
}
