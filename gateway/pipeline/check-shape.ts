import type { z } from 'zod'
import { PipelineDefinition, Route, StageEntry, Trigger } from '../contract/pipeline.ts'
import { isExactNumber } from './exact-numbers.ts'
import { fixKey, fixName } from './fixes.ts'
import { didYouMean, nearestName } from './nearest.ts'
import { isRaw, listOf, type Raw } from './raw.ts'
import type { Path, SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'

/** Checks keys and types by the contract's schema; the definition when nothing is wrong. */
export function checkShape(
  value: Raw,
  { document, report }: { document: SourceDocument; report: Report },
): PipelineDefinition | undefined {
  const unknownKeys = (raw: unknown, known: readonly string[], path: Path, of: string) => {
    if (!isRaw(raw)) return
    for (const key of Object.keys(raw).filter((key) => !known.includes(key))) {
      const message = `${of} has no key "${key}"; it is ignored${didYouMean(key, known)}`
      const where = document.locateKey([...path, key])
      const fix = fixKey(document, [...path, key], known)
      if (nearestName(key, known)) report.warning('unknown-key', message, where, fix)
      else report.information('unknown-key', message, where)
    }
  }
  unknownKeys(value, Object.keys(PipelineDefinition.shape), [], 'A pipeline')
  unknownKeys(value['trigger'], Object.keys(Trigger.shape), ['trigger'], 'A trigger')
  for (const [index, stage] of listOf(value['stages']).entries())
    // `envs` of a stage is read by an old deploy action only.
    unknownKeys(stage, [...Object.keys(StageEntry.shape), 'envs'], ['stages', index], 'A stage')
  for (const [index, route] of listOf(value['routes']).entries())
    unknownKeys(route, Object.keys(Route.shape), ['routes', index], 'A route')

  const parsed = PipelineDefinition.safeParse(value)
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)))
    const [code, message] = describe(issue, valueAt(value, path), path)
    const written = valueAt(value, path)
    const fix =
      issue.code === 'invalid_value' && typeof written === 'string'
        ? fixName(document, path, written, issue.values.map(String))
        : undefined
    report.error(code, message, document.locate(path), fix)
  }
  return parsed.data
}

function describe(issue: z.core.$ZodIssue, value: unknown, path: Path): [string, string] {
  const name = nameOf(path)
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined
        ? ['missing-key', `${name} is missing`]
        : [
            'wrong-type',
            `${name} must be ${typeNames[issue.expected] ?? issue.expected}, not ${nameOfType(value)}`,
          ]
    case 'invalid_value': {
      const choices = issue.values.map(String)
      return value === undefined
        ? ['missing-key', `${name} is missing; it is one of ${choices.join(', ')}`]
        : [
            'bad-value',
            `${JSON.stringify(value)} is not allowed for ${name}${didYouMean(JSON.stringify(value).replaceAll('"', ''), choices) || `; it is one of ${choices.join(', ')}`}`,
          ]
    }
    case 'too_small':
      return ['too-few', `${name} needs at least ${issue.minimum} entry`]
    case 'invalid_format':
      return [
        'bad-value',
        `${name} may hold letters, digits, - and _ only, not ${JSON.stringify(value)}`,
      ]
    default:
      return ['bad-value', `${name}: ${issue.message}`]
  }
}

const typeNames: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
}

const nameOfType = (value: unknown) =>
  isExactNumber(value) ? 'a number with so many digits' : nameOfPlainType(value)

const nameOfPlainType = (value: unknown) =>
  value === null ? 'empty' : (typeNames[Array.isArray(value) ? 'array' : typeof value] ?? 'that')

/** `stages[2].needs` */
const nameOf = (path: Path) =>
  path
    .map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${key}`))
    .join('') || 'The pipeline'

const valueAt = (root: unknown, path: Path) =>
  path.reduce<unknown>(
    (value, key) =>
      isRaw(value)
        ? value[key]
        : Array.isArray(value)
          ? (value as unknown[])[Number(key)]
          : undefined,
    root,
  )
