import type { PlannedStage } from '../pipeline/plan.ts'
import type { RunState } from './run-state.ts'

/** How long something may take, and what a message calls that limit. */
export interface TimeLimit {
  ms: number
  name: string
}

/** The limit of stages that no answer waits for. */
export const backgroundLimit = ({ limits }: RunState): TimeLimit => ({
  ms: limits.backgroundMs,
  name: 'the limit of stages in the background (limits.backgroundMs)',
})

/** How long one stage may take. */
export function timeLimit(state: RunState, stage: PlannedStage): TimeLimit {
  const { limits, plan } = state
  if (
    stage.async &&
    !plan.stages.some(({ async, asyncNeeds }) => !async && asyncNeeds.includes(stage.index))
  )
    return backgroundLimit(state)
  return stage.isScript && limits.scriptMs <= limits.stageMs
    ? { ms: limits.scriptMs, name: 'the limit of one script (limits.scriptMs)' }
    : { ms: limits.stageMs, name: 'the limit of one stage (limits.stageMs)' }
}
