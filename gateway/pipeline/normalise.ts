import { joinListOfMaps } from './check-inputs.ts'
import { type AliasPlace, canonicalName } from './dialect.ts'
import { changeTo } from './fixes.ts'
import { normaliseRoute, reportClassifyOutside } from './normalise-route.ts'
import { isRaw, listOf, type Raw, textOf, withoutEmpty } from './raw.ts'
import type { Path, Rewrite, SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'
import { neededId } from './stage-ids.ts'

/**
 * The canonical name for one that may be an alias, which is reported. `rewrite` is what to write for
 * it; by default the name alone stands at the path.
 */
export type Rename = (
  place: AliasPlace,
  name: string,
  path: Path,
  rewrite?: (canonical: string) => Rewrite | undefined,
) => string

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
  const rename: Rename = (place, name, path, rewrite) => {
    const canonical = canonicalName(place, name)
    if (canonical === name) return name
    const change = rewrite?.(canonical) ?? document.rewrite(path, canonical)
    report.information(
      'alias',
      `"${name}" is read as "${canonical}"`,
      document.locate(path),
      changeTo(canonical, change),
    )
    return canonical
  }

  function toStage(raw: unknown, index: number): unknown {
    if (!isRaw(raw)) return raw
    const path = ['stages', index]
    const stage = withoutEmpty(raw)
    if (stage['uses'] !== undefined) {
      const where = [...path, 'use']
      const fix = changeTo('use', document.rewriteKey(where, 'use'))
      report.information('alias', '"uses" is read as "use"', document.locateKey(where), fix)
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

  /** A need may name a stage without id by the other dialect's name. */
  function toNeeds(stages: readonly unknown[]) {
    const ids = stages.map((stage) => (isRaw(stage) ? textOf(stage['id']) : undefined))
    for (const [index, stage] of stages.entries())
      if (isRaw(stage) && Array.isArray(stage['needs']))
        stage['needs'] = stage['needs'].map((need: unknown, place) => {
          const id = neededId(need, ids)
          if (id === undefined || id === need) return need
          const where = ['stages', index, 'needs', place]
          const fix = changeTo(id, document.rewrite(where, id))
          const message = `"${String(need)}" is read as "${id}"`
          report.information('alias', message, document.locate(where), fix)
          return id
        })
  }

  const definition = withoutEmpty(value)
  // The id may be empty, but then nothing could name the pipeline.
  if (definition['id'] === undefined || definition['id'] === '') definition['id'] = pipelineId
  definition['envs'] = joinListOfMaps(definition['envs'])
  if (Array.isArray(value['envs']))
    report.information(
      'list-of-maps',
      'envs is a list of maps and is read as one map',
      document.locateKey(['envs']),
    )
  if (definition['envs'] === undefined) delete definition['envs']
  if (isRaw(definition['trigger'])) definition['trigger'] = withoutEmpty(definition['trigger'])
  reportClassifyOutside(definition, { document, report })
  delete definition['classify']
  const { stages, routes } = definition
  if (Array.isArray(stages)) definition['stages'] = listOf(stages).map(toStage)
  if (Array.isArray(routes))
    definition['routes'] = listOf(routes).map((route, index) =>
      normaliseRoute(route, index, { document, report, rename }),
    )
  toNeeds(listOf(definition['stages']))
  return definition
}
