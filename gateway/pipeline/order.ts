/** A stage's id and the ids it waits for. */
interface Dependency {
  id: string
  needs: readonly string[]
}

/**
 * Orders stages so that each comes after everything it needs and list order holds otherwise; needs
 * that name no stage are ignored. Pure, O(stages + needs).
 * @returns the order, or the ids on the first cycle found, its first id repeated at the end.
 */
export function planOrder(
  stages: readonly Dependency[],
): { order: string[] } | { cycle: string[] } {
  const byId = new Map(stages.map((stage) => [stage.id, stage]))
  const order = new Set<string>()
  const path = new Set<string>()
  const findCycle = (id: string): string[] | undefined => {
    const stage = byId.get(id)
    if (!stage || order.has(id)) return undefined
    if (path.has(id)) {
      const open = [...path]
      return [...open.slice(open.indexOf(id)), id]
    }
    path.add(id)
    for (const need of stage.needs) {
      const cycle = findCycle(need)
      if (cycle) return cycle
    }
    path.delete(id)
    order.add(id)
    return undefined
  }
  for (const { id } of stages) {
    const cycle = findCycle(id)
    if (cycle) return { cycle }
  }
  return { order: [...order] }
}
