import { z } from 'zod'
import { copyOf, isExactNumber } from './exact-numbers.ts'
import { didYouMean, nearestName } from './nearest.ts'
import { isRaw } from './raw.ts'
import type { StageKind } from './stage-kind.ts'
import { isDynamic } from './template.ts'

/** One thing that is wrong with a stage's inputs; `path` descends from `inputs`. */
export interface InputProblem {
  severity: 'error' | 'warning'
  code: 'unknown-input' | 'missing-input' | 'bad-input'
  path: (string | number)[]
  message: string
  /** The known name that was probably meant. */
  meant?: string
}

/** Repairs (lists of maps, unknown keys) come one after the other; more than this is no input. */
const MOST_REPAIRS = 50

/**
 * Checks the inputs of a pre-built stage as its author wrote them. Dynamic strings pass everywhere.
 * `value` has lists of maps joined where a map is wanted, and lacks the keys the stage does not know.
 */
export function checkInputs({ use, inputs }: StageKind, written: unknown) {
  const problems: InputProblem[] = []
  const value: unknown = copyOf(written ?? {})
  for (let round = 0; round < MOST_REPAIRS; round++) {
    const issues = inputs.safeParse(value).error?.issues ?? []
    if (
      !issues.some(
        (issue) =>
          roundOff(value, issue) ||
          joinMaps(value, issue) ||
          dropUnknown({ use, inputs }, value, issue, problems),
      )
    ) {
      for (const issue of issues) addProblem(use, value, issue, problems)
      break
    }
  }
  return { value, problems }
}

/** A stage reckons with JavaScript's numbers: where it wants one, further digits are of no use. */
function roundOff(root: unknown, issue: z.core.$ZodIssue): boolean {
  if (issue.code !== 'invalid_type' || issue.expected !== 'number') return false
  const value = valueAt(root, issue.path)
  const holder = valueAt(root, issue.path.slice(0, -1))
  const key = issue.path.at(-1)
  if (!isExactNumber(value) || key === undefined) return false
  if (!isRaw(holder) && !Array.isArray(holder)) return false
  // Safe: the key was just read of this very holder.
  const entries = holder as Record<PropertyKey, unknown>
  entries[key] = Number(value.rawJSON)
  return true
}

/** Joins `[{a: 1}, {b: 2}]` into `{a: 1, b: 2}` where a map is wanted. */
function joinMaps(root: unknown, issue: z.core.$ZodIssue): boolean {
  if (issue.code !== 'invalid_type' || !['record', 'object'].includes(issue.expected)) return false
  const list = valueAt(root, issue.path)
  if (!isListOfMaps(list)) return false
  const holder = valueAt(root, issue.path.slice(0, -1))
  const key = issue.path.at(-1)
  if (!isRaw(holder) || typeof key !== 'string') return false
  holder[key] = Object.assign({}, ...list)
  return true
}

function dropUnknown(
  { use, inputs }: Pick<StageKind, 'use' | 'inputs'>,
  root: unknown,
  issue: z.core.$ZodIssue,
  problems: InputProblem[],
): boolean {
  if (issue.code !== 'unrecognized_keys') return false
  const holder = valueAt(root, issue.path)
  if (!isRaw(holder)) return false
  const known = keysAt(inputs, issue.path).filter((key) => !(key in holder))
  for (const key of issue.keys) {
    delete holder[key]
    const meant = nearestName(key, known)
    problems.push({
      severity: 'warning',
      code: 'unknown-input',
      path: [...toPath(issue.path), key],
      message: `${use} has no input "${[...issue.path, key].join('.')}", so it is ignored${didYouMean(key, known)}`,
      ...(meant !== undefined && { meant }),
    })
  }
  return true
}

function addProblem(use: string, root: unknown, issue: z.core.$ZodIssue, problems: InputProblem[]) {
  const value = valueAt(root, issue.path)
  if (isDynamic(value)) return
  const name = issue.path.join('.')
  const isMissing = value === undefined && issue.path.length > 0
  const choices = issue.code === 'invalid_value' ? issue.values.map(String) : []
  const meant = typeof value === 'string' ? nearestName(value, choices) : undefined
  problems.push({
    severity: 'error',
    code: isMissing ? 'missing-input' : 'bad-input',
    path: toPath(issue.path),
    message: isMissing
      ? `${use} needs the input "${name}"`
      : `The input "${name}" of ${use} is wrong: ${issue.message}${didYouMean(String(value), choices)}`,
    ...(meant !== undefined && { meant }),
  })
}

/** The keys a schema knows at a place; none where it is no map with fixed keys. */
function keysAt(schema: z.core.$ZodType, [key, ...rest]: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return keysAt(schema.unwrap(), key === undefined ? [] : [key, ...rest])
  if (schema instanceof z.ZodArray) return key === undefined ? [] : keysAt(schema.element, rest)
  if (!(schema instanceof z.ZodObject)) return []
  if (key === undefined) return Object.keys(schema.shape)
  const inner: z.core.$ZodType | undefined = schema.shape[String(key)]
  return inner ? keysAt(inner, rest) : []
}

/** Joins one-key maps in a list into one map; any other value is returned as it is. */
export const joinListOfMaps = (value: unknown): unknown =>
  isListOfMaps(value) ? Object.assign({}, ...value) : value

const isListOfMaps = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRaw)

const toPath = (path: readonly PropertyKey[]) =>
  path.map((key) => (typeof key === 'symbol' ? String(key) : key))

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? // Any key may be read of an object or a list; absent ones give undefined.
          (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    root,
  )
