import type { PlannedStage } from './plan.ts'

/**
 * The synchronous stages in execution order, as groups that the sandbox may enter at once. A group
 * of more than one holds scripts only, and nothing can happen between two of them: no trigger, no
 * wait for an asynchronous stage, no asynchronous stage that waits for one of them, no quiet end.
 */
export function planLine(
  stages: readonly PlannedStage[],
  order: readonly number[],
): readonly (readonly number[])[] {
  const awaited = new Set(
    stages.filter((stage) => stage.async).flatMap(({ needIndices }) => needIndices),
  )
  const groups: number[][] = []
  let mayGrow = false
  for (const index of order) {
    const stage = stages[index]
    if (!stage || stage.async) continue
    const mayJoin =
      stage.isScript && stage.enabled && !stage.trigger && stage.asyncNeeds.length === 0
    if (mayGrow && mayJoin) groups.at(-1)?.push(index)
    else groups.push([index])
    mayGrow = mayJoin && stage.continueOnError && !awaited.has(index)
  }
  return groups
}
