import { errors, GatewayError } from '../errors.ts'
import type { SharedState } from './shared-state.ts'

const KIND = 'schedule-claim'

/**
 * Lets each tick of a pipeline go to one gateway of those that share the state: to the first that
 * writes it down. Ticks are epoch milliseconds and only go forward; an earlier one than the last is
 * nobody's any more.
 * @throws {GatewayError} STATE_UNAVAILABLE: then it is not known whose the tick is.
 */
export const createClaims =
  (state: SharedState) =>
  async (pipelineId: string, tick: number): Promise<boolean> => {
    for (;;) {
      const found = state.get(KIND, pipelineId)
      // Safe: only this file writes the kind.
      const last = (found?.value as { tick: number } | undefined)?.tick ?? 0
      if (last >= tick) return false
      try {
        await state.put(KIND, pipelineId, { tick }, { ifVersion: found?.etag ?? null })
        return true
      } catch (problem) {
        const isLostRace =
          problem instanceof GatewayError && problem.code === errors.etagMismatch.code
        if (!isLostRace) throw problem
      }
    }
  }
