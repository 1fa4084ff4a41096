import type { PlannedStage } from './plan.ts'

/**
 * The synchronous stages in execution order, as groups that the sandbox may enter at once. A group
 * of more than one holds scripts only, and nothing can happen between two of them: no trigger, no
 * wait for an asynchronous stage, no asynchronous stage that waits for one of them, no quiet end.
 */
export function planLine<Stage extends PlannedStage>(
  stages: readonly Stage[],
  order: readonly number[],
): readonly (readonly Stage[])[] {
  const awaited = new Set(
    stages.filter((stage) => stage.async).flatMap(({ needIndices }) => needIndices),
  )
  const groups: Stage[][] = []
  let mayGrow = false
  for (const index of order) {
    const stage = stages[index]
    if (!stage || stage.async) continue
    const mayJoin =
      stage.isScript && stage.enabled && !stage.trigger && stage.asyncNeeds.length === 0
    if (mayGrow && mayJoin) groups.at(-1)?.push(stage)
    else groups.push([stage])
    mayGrow = mayJoin && stage.continueOnError && !awaited.has(index)
  }
  return groups
}
