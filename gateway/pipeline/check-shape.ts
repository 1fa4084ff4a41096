import type { z } from 'zod'
import { PipelineDefinition } from '../contract/pipeline.ts'
import { checkKeys } from './check-keys.ts'
import { isExactNumber } from './exact-numbers.ts'
import { changeTo, fixName } from './fixes.ts'
import { didYouMean } from './nearest.ts'
import { isRaw, type Raw } from './raw.ts'
import type { Path, SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'

/** Checks keys and types by the contract's schema; the definition when nothing is wrong. */
export function checkShape(
  value: Raw,
  { document, report }: { document: SourceDocument; report: Report },
): PipelineDefinition | undefined {
  checkKeys(value, { document, report })
  const parsed = PipelineDefinition.safeParse(value)
  for (const issue of parsed.error?.issues ?? []) {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)))
    const [code, message] = describe(issue, valueAt(value, path), path)
    const fix = fixValue(document, path, issue, valueAt(value, path))
    report.error(code, message, document.locate(path), fix)
  }
  return parsed.data
}

/** What YAML 1.1 took for flags; the reference product still does. */
const FLAGS = new Map([
  ...['true', 'yes', 'on', 'y'].map((word) => [word, 'true'] as const),
  ...['false', 'no', 'off', 'n'].map((word) => [word, 'false'] as const),
])

function fixValue(document: SourceDocument, path: Path, issue: z.core.$ZodIssue, value: unknown) {
  if (issue.code === 'invalid_value' && typeof value === 'string')
    return fixName(document, path, value, issue.values.map(String))
  if (issue.code !== 'invalid_type') return undefined
  if (issue.expected === 'boolean' && typeof value === 'string') {
    const flag = FLAGS.get(value.toLowerCase())
    const rewrite = flag && document.rewrite(path, flag)
    // Without quotes, whatever stood there: in quotes it would be a text again.
    return flag && rewrite ? changeTo(flag, { ...rewrite, text: flag }) : undefined
  }
  if (issue.expected !== 'string') return undefined
  const text = isExactNumber(value) ? value.rawJSON : String(value)
  const rewrite = document.rewrite(path, text)
  const isPlain = typeof value === 'number' || typeof value === 'boolean' || isExactNumber(value)
  return isPlain && rewrite
    ? { title: 'Write it as a text', edits: [{ ...rewrite, text: JSON.stringify(text) }] }
    : undefined
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

function nameOfType(value: unknown) {
  if (isExactNumber(value)) return 'a number with so many digits'
  if (typeof value === 'number' && !Number.isFinite(value)) return `${value}`
  return nameOfPlainType(value)
}

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
