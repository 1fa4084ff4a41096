import type { PlannedRoute } from './plan.ts'

/** The indices a path names: its `{index}`, else the segment before `/_declarative`. */
export function indicesOf(
  template: PlannedRoute['segments'],
  segments: readonly string[],
): readonly string[] {
  const parameter = template.findIndex(
    (segment) => typeof segment !== 'string' && segment.parameter === 'index',
  )
  const place = parameter >= 0 ? parameter : template.indexOf('_declarative') - 1
  const names = place >= 0 ? segments[place] : undefined
  return names ? names.split(',') : []
}
