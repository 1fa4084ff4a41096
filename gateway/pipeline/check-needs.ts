import { fixName } from './fixes.ts'
import { didYouMean } from './nearest.ts'
import { planOrder } from './order.ts'
import { isRaw, listOf, textOf } from './raw.ts'
import type { SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'

interface Needing {
  id: string
  index: number
  enabled: boolean
  needs: string[]
}

/** Checks that every need exists, is enabled, and that no stage waits for itself. */
export function checkNeeds(
  stages: readonly unknown[],
  { document, report, maxStages }: { document: SourceDocument; report: Report; maxStages: number },
) {
  const all = stages.flatMap((stage, index): Needing[] => {
    const id = isRaw(stage) ? textOf(stage['id']) : undefined
    if (!isRaw(stage) || id === undefined) return []
    const needs = listOf(stage['needs']).map((need) => textOf(need) ?? '')
    return [{ id, index, enabled: stage['enabled'] !== false, needs }]
  })
  const byId = new Map(all.map((stage) => [stage.id, stage]))
  for (const { id, index, needs, enabled } of all)
    for (const [place, need] of needs.entries()) {
      const where = document.locate(['stages', index, 'needs', place])
      const needed = byId.get(need)
      // What it waits for already, and itself, cannot be meant.
      const free = [...byId.keys()].filter((one) => one !== id && !needs.includes(one))
      if (!needed)
        report.error(
          'unknown-need',
          `"${id}" needs "${need}", but there is no such stage${didYouMean(need, free)}`,
          where,
          fixName(document, ['stages', index, 'needs', place], need, free),
        )
      else if (!needed.enabled && enabled)
        report.warning(
          'disabled-need',
          `"${id}" will be skipped, because it needs "${need}", which is disabled`,
          where,
        )
    }

  // Lists beyond the allowed length are refused anyway, and the search for circles goes deep.
  const order = all.length > maxStages ? { order: [] } : planOrder(all)
  if (!('cycle' in order)) return
  const [first = '', second = ''] = order.cycle
  const stage = byId.get(first)
  report.error(
    'needs-cycle',
    order.cycle.length === 2
      ? `"${first}" needs itself`
      : `These stages wait for one another: ${order.cycle.map((id) => `"${id}"`).join(' → ')}`,
    document.locate(['stages', stage?.index ?? 0, 'needs', stage?.needs.indexOf(second) ?? 0]),
  )
}
