import { failures, unsupported } from '../../errors.ts'

/** Longer patterns are refused. */
export const MAX_REGEXP_LENGTH = 1000
/** Patterns that need more states are refused. */
export const MAX_REGEXP_STATES = 10_000

type Tree =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly has: (point: number) => boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly Tree[] }
  | { readonly kind: 'choice'; readonly parts: readonly Tree[] }
  | { readonly kind: 'repeat'; readonly of: Tree; readonly min: number; readonly max: number }

/**
 * A matcher for whole texts (given as code points) in Lucene's regular expressions: `. ? + * | ( )
 * [ ] { }`, `"` for literal text and `\`. Every text is read once, whatever the pattern: nothing
 * goes back.
 * @throws {EngineFailure} for the optional operators `# @ & < > ~`, and beyond the limits.
 */
export function createRegexpMatcher(pattern: string): (points: readonly number[]) => boolean {
  if (pattern.length > MAX_REGEXP_LENGTH)
    throw failures.illegalArgument(
      `The length of regex [${pattern.length}] used in the Regexp Query request has exceeded the allowed maximum of [${MAX_REGEXP_LENGTH}].`,
    )
  return createMachine(parse(pattern), pattern)
}

function parse(pattern: string): Tree {
  const chars = Array.from(pattern)
  let at = 0
  const tree = parseChoice()
  if (at < chars.length) throw wrong(`unexpected [${chars[at]}] at position ${at}`)
  return tree

  function wrong(why: string) {
    return failures.illegalArgument(`failed to parse regexp [${pattern}]: ${why}`)
  }

  function parseChoice(): Tree {
    const parts = [parseSequence()]
    while (chars[at] === '|') {
      at++
      parts.push(parseSequence())
    }
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
  }

  function parseSequence(): Tree {
    const parts: Tree[] = []
    while (at < chars.length && chars[at] !== '|' && chars[at] !== ')') parts.push(parseRepeat())
    if (parts.length === 0) return { kind: 'empty' }
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
  }

  function parseRepeat(): Tree {
    let tree = parseAtom()
    for (;;) {
      const char = chars[at]
      if (char === '?') tree = { kind: 'repeat', of: tree, min: 0, max: 1 }
      else if (char === '*')
        tree = { kind: 'repeat', of: tree, min: 0, max: Number.POSITIVE_INFINITY }
      else if (char === '+')
        tree = { kind: 'repeat', of: tree, min: 1, max: Number.POSITIVE_INFINITY }
      else if (char === '{') {
        const [min, max] = parseCounts()
        tree = { kind: 'repeat', of: tree, min, max }
        continue
      } else return tree
      at++
    }
  }

  function parseCounts(): [number, number] {
    const close = chars.indexOf('}', at)
    const counts = /^(\d+)(?:(,)(\d*))?$/.exec(close < 0 ? '' : chars.slice(at + 1, close).join(''))
    if (!counts) throw wrong(`repetition at position ${at} is none of {n}, {n,}, {n,m}`)
    at = close + 1
    const min = Number(counts[1])
    if (counts[2] === undefined) return [min, min]
    return [min, counts[3] === '' ? Number.POSITIVE_INFINITY : Number(counts[3])]
  }

  function parseAtom(): Tree {
    const char = chars[at++]!
    if (char === '.') return { kind: 'set', has: () => true }
    if (char === '(') {
      const inner = parseChoice()
      if (chars[at] !== ')') throw wrong('expected [)]')
      at++
      return inner
    }
    if (char === '[') return parseClass()
    if (char === '"') return parseLiteral()
    if ('#@&<>~'.includes(char))
      throw unsupported(`regexp.${char}`, `regular expression operator [${char}]`)
    if ('?*+{'.includes(char)) throw wrong(`[${char}] at position ${at - 1} repeats nothing`)
    return one(char === '\\' ? escaped() : char.codePointAt(0)!)
  }

  function parseLiteral(): Tree {
    const close = chars.indexOf('"', at)
    if (close < 0) throw wrong('expected ["]')
    const parts = chars.slice(at, close).map((char) => one(char.codePointAt(0)!))
    at = close + 1
    return parts.length === 0 ? { kind: 'empty' } : { kind: 'sequence', parts }
  }

  function escaped(): number {
    const char = chars[at++]
    if (char === undefined) throw wrong('it ends with [\\]')
    return char.codePointAt(0)!
  }

  function parseClass(): Tree {
    const negated = chars[at] === '^'
    if (negated) at++
    const ranges: [number, number][] = []
    while (chars[at] !== ']') {
      if (at >= chars.length) throw wrong('expected []]')
      const from = classPoint()
      if (chars[at] === '-' && chars[at + 1] !== ']' && at + 1 < chars.length) {
        at++
        ranges.push([from, classPoint()])
      } else ranges.push([from, from])
    }
    at++
    const has = (point: number) => ranges.some(([low, high]) => low <= point && point <= high)
    return { kind: 'set', has: negated ? (point) => !has(point) : has }
  }

  function classPoint(): number {
    const char = chars[at++]!
    return char === '\\' ? escaped() : char.codePointAt(0)!
  }
}

const one = (wanted: number): Tree => ({ kind: 'set', has: (point) => point === wanted })

/** A state reads one code point of its set, or goes on to others without reading. */
interface State {
  has: ((point: number) => boolean) | undefined
  next: number[]
}

function createMachine(tree: Tree, pattern: string): (points: readonly number[]) => boolean {
  const states: State[] = []
  const add = (next: number[], has?: State['has']) => {
    if (states.length === MAX_REGEXP_STATES)
      throw failures.illegalArgument(
        `Determinizing automaton for [${pattern}] would need more than ${MAX_REGEXP_STATES} states.`,
      )
    states.push({ has, next })
    return states.length - 1
  }
  const end = add([])
  const start = build(tree, end)

  return (points) => {
    let current = closure([start])
    for (const point of points) {
      const next: number[] = []
      for (const state of current)
        if (states[state]!.has?.(point)) next.push(...states[state]!.next)
      if (next.length === 0) return false
      current = closure(next)
    }
    return current.has(end)
  }

  /** @returns the state that begins `one` and leads to `to` behind it. */
  function build(one: Tree, to: number): number {
    if (one.kind === 'empty') return to
    if (one.kind === 'set') return add([to], one.has)
    if (one.kind === 'choice') return add(one.parts.map((part) => build(part, to)))
    return one.kind === 'repeat'
      ? repeat(one, to)
      : one.parts.reduceRight((next, part) => build(part, next), to)
  }

  function repeat({ of, min, max }: Extract<Tree, { kind: 'repeat' }>, to: number): number {
    let next = to
    if (max === Number.POSITIVE_INFINITY) {
      const loop = add([to])
      states[loop]!.next.unshift(build(of, loop))
      next = loop
    } else for (let i = min; i < max; i++) next = add([build(of, next), to])
    for (let i = 0; i < min; i++) next = build(of, next)
    return next
  }

  function closure(from: readonly number[]): Set<number> {
    const found = new Set<number>()
    const open = [...from]
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (found.has(state)) continue
      found.add(state)
      if (!states[state]!.has) open.push(...states[state]!.next)
    }
    return found
  }
}
