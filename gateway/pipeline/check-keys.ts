import {
  EnvValidation,
  GlobalEnv,
  PipelineDefinition,
  Route,
  StageEntry,
  Trigger,
} from '../contract/pipeline.ts'
import { fixKey } from './fixes.ts'
import { didYouMean, nearestName } from './nearest.ts'
import { isRaw, listOf, type Raw } from './raw.ts'
import type { Path, SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'

const PIPELINE = Object.keys(PipelineDefinition.shape)
const TRIGGER = Object.keys(Trigger.shape)
const TIMEFRAME = Object.keys(Trigger.shape.timeframe.unwrap().shape)
const ROUTE = Object.keys(Route.shape)
const CLASSIFY = Object.keys(Route.shape.classify.unwrap().shape)
// `envs` of a stage is read by an old deploy action only.
const STAGE = [...Object.keys(StageEntry.shape), 'envs']
const STAGE_TRIGGER = Object.keys(StageEntry.shape.trigger.unwrap().shape)
// The reference product writes the two times into what it gives back.
const GLOBAL_ENV = [...Object.keys(GlobalEnv.shape), 'created_at', 'updated_at']
const VALIDATION = Object.keys(EnvValidation.shape)

/** Reports keys that mean nothing where they stand; they are ignored, but were probably meant. */
export function checkKeys(
  value: Raw,
  { document, report }: { document: SourceDocument; report: Report },
) {
  const check = (raw: unknown, path: Path, of: string, known: readonly string[]) => {
    if (!isRaw(raw)) return
    // A key that is there already cannot be what another one was meant to be.
    const free = known.filter((key) => !(key in raw))
    for (const key of Object.keys(raw).filter((key) => !known.includes(key))) {
      const message = `${of} has no key "${key}"; it is ignored${didYouMean(key, free)}`
      const where = document.locateKey([...path, key])
      const fix = fixKey(document, [...path, key], free)
      if (nearestName(key, free)) report.warning('unknown-key', message, where, fix)
      else report.information('unknown-key', message, where)
    }
  }
  const each = (key: string, visit: (raw: Raw, path: Path) => void) => {
    for (const [index, raw] of listOf(value[key]).entries())
      if (isRaw(raw)) visit(raw, [key, index])
  }

  check(value, [], 'A pipeline', PIPELINE)
  const { trigger } = value
  check(trigger, ['trigger'], 'A trigger', TRIGGER)
  if (isRaw(trigger))
    check(trigger['timeframe'], ['trigger', 'timeframe'], 'A timeframe', TIMEFRAME)
  each('routes', (route, path) => {
    check(route, path, 'A route', ROUTE)
    check(route['classify'], [...path, 'classify'], 'classify', CLASSIFY)
  })
  each('stages', (stage, path) => {
    check(stage, path, 'A stage', STAGE)
    check(stage['trigger'], [...path, 'trigger'], 'The trigger of a stage', STAGE_TRIGGER)
  })
  each('global_envs', (env, path) => {
    check(env, path, 'A global env', GLOBAL_ENV)
    check(env['validate'], [...path, 'validate'], 'validate', VALIDATION)
  })
}
