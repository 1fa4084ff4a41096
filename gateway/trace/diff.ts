import type { Context } from '../contract/context.ts'
import type { ContextChange } from '../contract/trace.ts'
import { parseLossless } from './parse-lossless.ts'

type Path = (string | number)[]

/** The differences between two contexts; `cut` when there are more than are listed. */
export interface ContextDiff {
  changes: ContextChange[]
  cut: boolean
}

const MOST_CHANGES = 500
const MOST_STEPS = 200_000
/** Two texts longer than this together are not looked into. */
const LONGEST_TEXTS = 2_000_000
const LONGEST_VALUE = 20_000

/**
 * Compares two contexts by content. Texts that hold JSON, or JSON lines, are compared by what they
 * hold, exact to the digit. The work is bounded; parts that are the same objects cost nothing.
 */
export function diffContexts(before: Context, after: Context): ContextDiff {
  const changes: ContextChange[] = []
  let steps = 0
  let cut = false

  const add = (change: ContextChange) => {
    if (changes.length < MOST_CHANGES) changes.push(change)
    else cut = true
  }
  function compare(a: unknown, b: unknown, path: Path, jsonFrom?: number) {
    if (a === b || cut) return
    if (++steps > MOST_STEPS) {
      cut = true
      return
    }
    if (typeof a === 'string' && typeof b === 'string' && jsonFrom === undefined)
      return compareTexts(a, b, path)
    if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b, path, jsonFrom)
    if (isMap(a) && isMap(b)) return compareMaps(a, b, path, jsonFrom)
    compareScalars(a, b, path, jsonFrom)
  }

  function compareTexts(a: string, b: string, path: Path) {
    if (a.length + b.length <= LONGEST_TEXTS) {
      const [was, is] = [parseLossless(a), parseLossless(b)]
      if (was !== undefined && is !== undefined) {
        const found = changes.length
        try {
          compare(was, is, path, path.length)
        } catch (problem) {
          if (!(problem instanceof RangeError)) throw problem
          // Nested deeper than the stack reaches: compared as text.
          changes.length = found
        }
        // Same content, other text: only blanks or the spelling of numbers have changed.
        if (changes.length > found || cut) return
      }
    }
    add({ ...describe('changed', path, undefined), before: show(a), after: show(b) })
  }

  function compareMaps(
    a: Record<string, unknown>,
    b: Record<string, unknown>,
    path: Path,
    jsonFrom?: number,
  ) {
    for (const key of Object.keys(a))
      if (Object.hasOwn(b, key)) compare(a[key], b[key], [...path, key], jsonFrom)
      else add({ ...describe('removed', [...path, key], jsonFrom), before: show(a[key]) })
    for (const key of Object.keys(b))
      if (!Object.hasOwn(a, key))
        add({ ...describe('added', [...path, key], jsonFrom), after: show(b[key]) })
  }

  function compareLists(
    a: readonly unknown[],
    b: readonly unknown[],
    path: Path,
    jsonFrom?: number,
  ) {
    for (const [from, to] of alignLists(a, b))
      if (from !== undefined && to !== undefined) compare(a[from], b[to], [...path, to], jsonFrom)
      else if (from !== undefined)
        add({ ...describe('removed', [...path, from], jsonFrom), before: show(a[from]) })
      else if (to !== undefined)
        add({ ...describe('added', [...path, to], jsonFrom), after: show(b[to]) })
  }

  function compareScalars(a: unknown, b: unknown, path: Path, jsonFrom?: number) {
    const [was, is] = [numberText(a), numberText(b)]
    if (was !== undefined && is !== undefined) {
      if (was === is || toDecimal(was) === toDecimal(is)) return
      const warning =
        Number(was) === Number(is)
          ? `${was} became ${is}: the number was read with less precision than it has`
          : undefined
      return add({
        ...describe('changed', path, jsonFrom),
        before: was,
        after: is,
        ...(warning && { warning }),
      })
    }
    add({ ...describe('changed', path, jsonFrom), before: show(a), after: show(b) })
  }

  compare(before, after, [])
  return { changes, cut }
}

const describe = (kind: ContextChange['kind'], path: Path, jsonFrom: number | undefined) => ({
  kind,
  path,
  ...(jsonFrom !== undefined && { jsonFrom }),
})

/**
 * Pairs the places of two lists: by `_id` or `id` where every element has one and their order is
 * kept, else place by place.
 */
function alignLists(a: readonly unknown[], b: readonly unknown[]) {
  const pairs: [from: number | undefined, to: number | undefined][] = []
  const [idsA, idsB] = [idsOf(a), idsOf(b)]
  if (!idsA || !idsB || a.length === b.length)
    for (let at = 0; at < Math.max(a.length, b.length); at++)
      pairs.push([at < a.length ? at : undefined, at < b.length ? at : undefined])
  else {
    const placeInA = new Map(idsA.map((id, at) => [id, at]))
    let next = 0
    for (const [to, id] of idsB.entries()) {
      const from = placeInA.get(id)
      if (from === undefined || from < next) pairs.push([undefined, to])
      else {
        for (; next < from; next++) pairs.push([next, undefined])
        pairs.push([from, to])
        next = from + 1
      }
    }
    for (; next < a.length; next++) pairs.push([next, undefined])
  }
  return pairs
}

function idsOf(list: readonly unknown[]): string[] | undefined {
  const ids = list.flatMap((item) => {
    const id = isMap(item) ? (item['_id'] ?? item['id']) : undefined
    return typeof id === 'string' ? id : (numberText(id) ?? [])
  })
  return ids.length === list.length && new Set(ids).size === ids.length ? ids : undefined
}

/** A value as JSON text, cut; what JSON cannot say as plain text. */
function show(value: unknown): string {
  if (typeof value === 'string' && value.length > LONGEST_VALUE)
    return `${JSON.stringify(value.slice(0, 1_000)).slice(0, -1)}… (${value.length} characters)"`
  const text = JSON.stringify(value) ?? String(value)
  return text.length > LONGEST_VALUE
    ? `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)`
    : text
}

/** The digits of a number, as written where they were kept. */
function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (!JSON.isRawJSON(value)) return undefined
  return value.rawJSON
}

/** One spelling for one value: `1.0`, `1` and `10e-1` are the same. */
function toDecimal(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (!match) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '') return '0'
  const kept = digits.replace(/0+$/, '')
  const power = Number(exponent) - fraction.length + (digits.length - kept.length)
  return `${sign}${kept}e${power}`
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
