import { joinListOfMaps } from './check-inputs.ts'
import { type AliasPlace, canonicalName } from './dialect.ts'
import { isRaw, listOf, type Raw, textOf } from './raw.ts'
import type { Path, SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'
import { neededId } from './stage-ids.ts'

/** Categories that templates of the reference product use although it has none of that name. */
const CATEGORY_MISTAKES = new Set(['elasticsearch', 'opensearch'])

/**
 * A definition in canonical names and shapes: aliases replaced, keys without a value left out, lists
 * of maps joined, ids filled in. What it changes is reported; the text stays as it is.
 */
export function normalise(
  value: Raw,
  {
    pipelineId,
    document,
    report,
  }: { pipelineId: string; document: SourceDocument; report: Report },
): Raw {
  const rename = (place: AliasPlace, name: string, path: Path) => {
    const canonical = canonicalName(place, name)
    if (canonical !== name)
      report.information('alias', `"${name}" is read as "${canonical}"`, document.locate(path))
    return canonical
  }

  function toStage(raw: unknown, index: number): unknown {
    if (!isRaw(raw)) return raw
    const path = ['stages', index]
    const stage = withoutEmpty(raw)
    if (stage['uses'] !== undefined) {
      report.information('alias', '"uses" is read as "use"', document.locateKey([...path, 'use']))
      stage['use'] ??= stage['uses']
      delete stage['uses']
    }
    const use = textOf(stage['use'])
    if (use !== undefined) stage['use'] = rename('use', use, [...path, 'use'])
    // Without an id of its own a stage goes by the name it was given, so that `needs` finds it.
    stage['id'] ??= use
    if (isRaw(stage['trigger'])) stage['trigger'] = withoutEmpty(stage['trigger'])
    return stage
  }

  function toRoute(raw: unknown, index: number): unknown {
    if (!isRaw(raw)) return raw
    const path = ['routes', index]
    const { classify: classification } = raw
    const route = withoutEmpty(raw)
    if (classification === null && (raw['category'] ?? raw['acl']) !== undefined)
      report.error(
        'classify-indent',
        'classify is empty, and category or acl stands beside it: indent them below classify',
        document.locateKey([...path, 'classify']),
      )
    const routePath = textOf(route['path'])
    if (routePath?.includes('_reactivesearch'))
      for (const segment of routePath.split('/')) rename('segment', segment, [...path, 'path'])
    const classify = route['classify']
    const category = isRaw(classify) ? textOf(classify['category']) : undefined
    if (isRaw(classify) && category !== undefined)
      route['classify'] = {
        ...withoutEmpty(classify),
        category: toCategory(category, [...path, 'classify', 'category']),
      }
    return route
  }

  function toCategory(category: string, path: Path) {
    if (!CATEGORY_MISTAKES.has(category)) return rename('category', category, path)
    report.warning(
      'unknown-category',
      `There is no category "${category}"; the route counts as "docs"`,
      document.locate(path),
    )
    return 'docs'
  }

  /** A need may name a stage without id by the other dialect's name. */
  function toNeeds(stages: readonly unknown[]) {
    const ids = stages.map((stage) => (isRaw(stage) ? textOf(stage['id']) : undefined))
    for (const [index, stage] of stages.entries())
      if (isRaw(stage) && Array.isArray(stage['needs']))
        stage['needs'] = stage['needs'].map((need: unknown, place) => {
          const id = neededId(need, ids)
          if (id === undefined || id === need) return need
          const where = document.locate(['stages', index, 'needs', place])
          report.information('alias', `"${String(need)}" is read as "${id}"`, where)
          return id
        })
  }

  const definition = withoutEmpty(value)
  definition['id'] ??= pipelineId
  definition['envs'] = joinListOfMaps(definition['envs'])
  if (Array.isArray(value['envs']))
    report.information(
      'list-of-maps',
      'envs is a list of maps and is read as one map',
      document.locateKey(['envs']),
    )
  if (definition['envs'] === undefined) delete definition['envs']
  if (isRaw(definition['trigger'])) definition['trigger'] = withoutEmpty(definition['trigger'])
  for (const [key, convert] of [
    ['stages', toStage],
    ['routes', toRoute],
  ] as const)
    if (Array.isArray(definition[key])) definition[key] = listOf(definition[key]).map(convert)
  toNeeds(listOf(definition['stages']))
  return definition
}

/** A key written without a value counts as left out. */
const withoutEmpty = (raw: Raw): Raw =>
  Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
