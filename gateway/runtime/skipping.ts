import type { PlannedStage } from '../pipeline/plan.ts'
import type { SkipStatus } from './observer.ts'
import type { RunState } from './run-state.ts'

/** Why a stage is left out; `because` goes on behind its name in the reasons of those that need it. */
interface Skipping {
  status: SkipStatus
  reason: string
  because: string
}

/** Why a stage whose needs are settled cannot run; nothing when it can. */
export function whySkipped(state: RunState, stage: PlannedStage): Skipping | undefined {
  if (!stage.enabled)
    return { status: 'disabled', reason: 'it is disabled', because: 'which is disabled' }
  for (const [place, need] of stage.needIndices.entries()) {
    const settled = state.settled[need]
    const name = `needs "${stage.needs[place]}"`
    if (settled?.kind === 'skipped')
      return toSkipping('skippedByNeed', `${name}, ${settled.because}`)
    if (settled?.kind === 'failed') return toSkipping('notReached', `${name}, which failed`)
    if (settled?.kind === 'notReached')
      return toSkipping('notReached', `${name}, which was not reached`)
  }
  return undefined
}

const toSkipping = (status: SkipStatus, reason: string) => ({
  status,
  reason,
  because: `which ${reason}`,
})
