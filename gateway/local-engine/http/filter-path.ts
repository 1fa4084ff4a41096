import { expandRaw } from '../json/write.ts'
import { isFloat, isRaw } from '../json/values.ts'

type Pattern = readonly string[]

const toRegex = (segment: string) =>
  new RegExp(`^${segment.split('*').map(RegExp.escape).join('.*')}$`, 's')

/** What remains of a pattern after each member name it may be matched with. */
function advance(patterns: readonly Pattern[], key: string): Pattern[] {
  const next: Pattern[] = []
  for (const pattern of patterns) {
    const [first, ...rest] = pattern
    if (first === undefined) continue
    if (first === '**') next.push(pattern, ...advance([rest], key))
    else if (toRegex(first).test(key)) next.push(rest)
  }
  return next
}

const isDone = (patterns: readonly Pattern[]) =>
  patterns.some((pattern) => pattern.every((segment) => segment === '**'))

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isFloat(value) && !isRaw(value)

function keepOnly(value: unknown, patterns: readonly Pattern[]): unknown {
  if (isDone(patterns)) return value
  if (!isPlain(value) || patterns.length === 0) return undefined
  if (Array.isArray(value)) {
    const kept = value.map((one) => keepOnly(one, patterns)).filter((one) => one !== undefined)
    return kept.length === 0 ? undefined : kept
  }
  const kept = Object.entries(value)
    .map(([key, one]) => [key, keepOnly(one, advance(patterns, key))] as const)
    .filter(([, one]) => one !== undefined)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

function leaveOut(value: unknown, patterns: readonly Pattern[]): unknown {
  if (isDone(patterns)) return undefined
  if (!isPlain(value) || patterns.length === 0) return value
  if (Array.isArray(value))
    return value.map((one) => leaveOut(one, patterns)).filter((one) => one !== undefined)
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]) => [key, leaveOut(one, advance(patterns, key))] as const)
      .filter(([, one]) => one !== undefined),
  )
}

/** `filter_path`: a comma list of dotted paths with `*` and `**`; a leading `-` leaves out. */
export function filterPath(body: unknown, filter: string): unknown {
  const paths = filter.split(',').filter((path) => path !== '')
  const split = (path: string) => path.split('.')
  const included = paths.filter((path) => !path.startsWith('-')).map(split)
  const excluded = paths.filter((path) => path.startsWith('-')).map((path) => split(path.slice(1)))
  const whole = expandRaw(body)
  const kept = included.length > 0 ? (keepOnly(whole, included) ?? {}) : whole
  return excluded.length > 0 ? leaveOut(kept, excluded) : kept
}
