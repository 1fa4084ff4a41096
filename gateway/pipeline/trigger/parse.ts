import { isFolded } from './folding.ts'
import type { CompareOperator, Expression, Node, Shape } from './node.ts'
import { toPattern } from './pattern.ts'
import { ExpressionError, type Token, toTokens } from './tokens.ts'

/** Functions; those with a body take a condition or a value for every element. */
const FUNCTIONS: Record<string, { body: boolean }> = {
  len: { body: false },
  any: { body: true },
  all: { body: true },
  none: { body: true },
  filter: { body: true },
  map: { body: true },
}

const OPERATORS: Record<string, { operator: CompareOperator; negated?: boolean }> = {
  '==': { operator: 'equals' },
  '!=': { operator: 'equals', negated: true },
  '<': { operator: 'less' },
  '<=': { operator: 'lessOrEqual' },
  '>': { operator: 'greater' },
  '>=': { operator: 'greaterOrEqual' },
  in: { operator: 'in' },
  contains: { operator: 'contains' },
  startsWith: { operator: 'startsWith' },
  endsWith: { operator: 'endsWith' },
  matches: { operator: 'matches' },
  exactlyMatches: { operator: 'equals' },
  doesNotMatch: { operator: 'equals', negated: true },
  doesNotContain: { operator: 'contains', negated: true },
  doesNotStartWith: { operator: 'startsWith', negated: true },
  doesNotEndWith: { operator: 'endsWith', negated: true },
  regularExpressionMatch: { operator: 'matches' },
}
/** Operators that may stand behind `not`, as in `x not in y`. */
const NEGATABLE = new Set(['in', 'contains', 'startsWith', 'endsWith', 'matches'])
const AND = new Set(['and', 'AND', '&&'])
const OR = new Set(['or', 'OR', '||'])
const NOT = new Set(['not', 'NOT'])
const CONSTANTS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['nil', undefined],
  ['null', undefined],
])
/** Reading a text costs memory many times its length. */
const LONGEST = 100_000
const DEEPEST = 100
/** Chains such as `a.b.c` and `a and b and c` nest to the left, and evaluation follows them down. */
const MOST_LINKS = 1_000

/**
 * Parses a trigger's expression: `$query exactlyMatches "x" AND (…)` and
 * `"products" in envs.index` are one language.
 * @throws {ExpressionError} at the first mistake.
 */
export function parseExpression(text: string): Expression {
  if (text.length > LONGEST)
    throw new ExpressionError(
      `The expression has ${text.length} characters; the limit is ${LONGEST}`,
      { start: LONGEST, end: text.length },
    )
  const tokens = toTokens(text)
  const names = new Map<string, { start: number; end: number }>()
  /** For each closure around the current place: whether its elements compare without case. */
  const closures: boolean[] = []
  let at = 0
  let depth = 0
  let links = 0

  // The list always ends with a token of kind `end`, so there is one at every place asked for.
  const peek = (ahead = 0) => tokens[Math.min(at + ahead, tokens.length - 1)] as Token
  const isWord = (words: ReadonlySet<string>, token = peek()) =>
    token.kind !== 'text' && words.has(token.text)
  const isSign = (sign: string) => peek().kind === 'sign' && peek().text === sign
  const next = () => {
    const token = peek()
    at++
    return token
  }
  const expectSign = (sign: string, why: string) => {
    if (!isSign(sign)) throw unexpected(peek(), `${sign} ${why}`)
    return next()
  }
  const node = (shape: Shape, start: number): Node => {
    const end = tokens[at - 1]?.end ?? start
    if (shape.kind !== 'literal' && shape.kind !== 'name' && ++links > MOST_LINKS)
      throw new ExpressionError('The expression has too many parts', { start, end })
    return { ...shape, start, end }
  }

  function choice(): Node {
    if (++depth > DEEPEST) throw new ExpressionError('The expression is nested too deeply', peek())
    const start = peek().start
    const test = or()
    let result = test
    if (isSign('?')) {
      next()
      const yes = choice()
      expectSign(':', 'and what to take when the condition is false')
      result = node({ kind: 'choose', test, yes, no: choice() }, start)
    }
    depth--
    return result
  }

  function or(): Node {
    const start = peek().start
    let left = and()
    while (isWord(OR)) {
      next()
      left = node({ kind: 'logic', operator: 'or', left, right: and() }, start)
    }
    return left
  }

  function and(): Node {
    const start = peek().start
    let left = not()
    while (isWord(AND)) {
      next()
      left = node({ kind: 'logic', operator: 'and', left, right: not() }, start)
    }
    return left
  }

  function not(): Node {
    const start = peek().start
    let count = 0
    while (isWord(NOT)) {
      next()
      count++
    }
    let operand = compare()
    // Twice is nothing, and a thousand of them must not nest a thousand levels deep.
    if (count > 0) operand = node({ kind: 'not', operand }, start)
    return count > 0 && count % 2 === 0 ? node({ kind: 'not', operand }, start) : operand
  }

  function compare(): Node {
    const start = peek().start
    let left = unary()
    for (;;) {
      const outer = isWord(NOT) && isWord(NEGATABLE, peek(1))
      const token = peek(outer ? 1 : 0)
      const found =
        token.kind === 'text' || !Object.hasOwn(OPERATORS, token.text)
          ? undefined
          : OPERATORS[token.text]
      if (!found) return left
      at += outer ? 2 : 1
      const right = unary()
      const { operator, negated = false } = found
      const folded = isFolded(left, closures) || isFolded(right, closures)
      const shape: Shape = {
        kind: 'compare',
        operator,
        negated: negated !== outer,
        folded,
        left,
        right,
      }
      if (operator === 'matches' && right.kind === 'literal')
        shape.pattern = toPattern(right.value, folded, right)
      left = node(shape, start)
    }
  }

  function unary(): Node {
    const start = peek().start
    if (isSign('-')) {
      next()
      const number = next()
      if (number.kind !== 'number') throw unexpected(number, 'a number')
      return node({ kind: 'literal', value: -toNumber(number) }, start)
    }
    let negations = 0
    while (isSign('!')) {
      next()
      negations++
    }
    let operand = postfix()
    for (let left = negations > 2 ? 2 - (negations % 2) : negations; left > 0; left--)
      operand = node({ kind: 'not', operand }, start)
    return operand
  }

  function postfix(): Node {
    const start = peek().start
    let object = primary()
    for (;;) {
      if (isSign('.') || isSign('?.')) {
        const optional = next().text === '?.'
        const property = next()
        if (property.kind !== 'name') throw unexpected(property, 'a name behind the dot')
        object = node({ kind: 'member', object, property: property.text, optional }, start)
      } else if (isSign('[')) {
        next()
        const index = choice()
        expectSign(']', 'that closes the index')
        object = node({ kind: 'index', object, index }, start)
      } else return object
    }
  }

  function primary(): Node {
    const token = next()
    const { start } = token
    if (token.kind === 'number') return node({ kind: 'literal', value: toNumber(token) }, start)
    if (token.kind === 'text') return node({ kind: 'literal', value: token.text }, start)
    if (token.kind === 'name') return nameOrCall(token)
    if (token.kind === 'sign')
      switch (token.text) {
        case '(': {
          const inner = choice()
          expectSign(')', 'that closes the bracket')
          return inner
        }
        case '[':
          return node({ kind: 'list', items: until(']', choice) }, start)
        case '{':
          return node({ kind: 'map', entries: until('}', entry) }, start)
        case '#':
        case '.': {
          if (closures.length === 0)
            throw new ExpressionError(
              `${token.text} stands for an element and is allowed only inside any(), all(), none(), filter() and map()`,
              token,
            )
          const element = node({ kind: 'name', name: '#' }, start)
          if (token.text === '#') return element
          const property = next()
          if (property.kind !== 'name') throw unexpected(property, 'a name behind the dot')
          return node(
            { kind: 'member', object: element, property: property.text, optional: false },
            start,
          )
        }
      }
    throw unexpected(token, 'a value')
  }

  function nameOrCall(token: Token): Node {
    if (CONSTANTS.has(token.text))
      return node({ kind: 'literal', value: CONSTANTS.get(token.text) }, token.start)
    if (!isSign('(')) {
      if (Object.hasOwn(OPERATORS, token.text) || [AND, OR, NOT].some((one) => isWord(one, token)))
        throw unexpected(token, 'a value')
      if (!names.has(token.text)) names.set(token.text, { start: token.start, end: token.end })
      return node({ kind: 'name', name: token.text }, token.start)
    }
    const known = Object.hasOwn(FUNCTIONS, token.text) ? FUNCTIONS[token.text] : undefined
    if (!known)
      throw new ExpressionError(
        `There is no function ${token.text}(); there are ${Object.keys(FUNCTIONS).join(', ')}`,
        token,
      )
    next()
    const list = choice()
    let body: Node | undefined
    if (known.body) {
      expectSign(',', 'and a condition for each element')
      closures.push(isFolded(list, closures))
      const braces = isSign('{')
      if (braces) next()
      body = choice()
      if (braces) expectSign('}', 'that closes the condition')
      closures.pop()
    }
    expectSign(')', `that closes ${token.text}()`)
    return node({ kind: 'call', name: token.text, list, body }, token.start)
  }

  function entry() {
    const key = next()
    if (key.kind !== 'name' && key.kind !== 'text') throw unexpected(key, 'a key')
    expectSign(':', 'behind the key')
    return { key: key.text, value: choice() }
  }

  function until<T>(close: string, one: () => T): T[] {
    const items: T[] = []
    while (!isSign(close)) {
      items.push(one())
      if (!isSign(close)) expectSign(',', `or ${close}`)
    }
    next()
    return items
  }

  if (peek().kind === 'end') throw new ExpressionError('The expression is empty', peek())
  const root = choice()
  if (peek().kind !== 'end') throw unexpected(peek(), 'the end, AND or OR')
  return { text, root, names }
}

function toNumber(token: Token) {
  const number = Number(token.text.replaceAll('_', ''))
  if (Number.isFinite(number)) return number
  throw new ExpressionError(`The number ${token.text} is too large`, token)
}

const unexpected = (token: Token, wanted: string) =>
  new ExpressionError(
    token.kind === 'end'
      ? `The expression ends where ${wanted} is expected`
      : `${JSON.stringify(token.text)} stands where ${wanted} is expected`,
    token,
  )
