/* oxlint-disable unicorn/consistent-function-scoping -- the text is sent into the isolate, so it must stand alone */
/** JSON text of a value that is no string, number, boolean or null. */
export interface JsonLeaf {
  json: string
}

/** A part of the context as it crosses. */
export type Leaf = string | number | boolean | null | JsonLeaf

/** The context in parts: `request`, `response` and `envs` one level deeper than the rest. */
export type Base = Map<string, Leaf | Map<string, Leaf>>

/** One difference a stage made; a `leaf` of undefined takes the part away. */
export interface Change {
  top: string
  sub: string | undefined
  leaf: Leaf | undefined
}

/**
 * Reads and writes the context at the border of the isolate. Runs inside it; its text must stand
 * alone. What a script hands back is only ever looked at here, as far as JSON can say it.
 */
export function createCodec(splitKeys: readonly string[]) {
  const DEEPEST = 500
  const QUOTE = '"'.charCodeAt(0)
  const BACKSLASH = '\\'.charCodeAt(0)
  const isSplit = (top: string) => splitKeys.includes(top)
  const invalid = (message: string) => ({ invalidResult: message })

  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)

  function put(target: object, key: string, value: unknown) {
    if (key === '__proto__')
      Reflect.defineProperty(target, key, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      })
    else Reflect.set(target, key, value)
  }

  function toLeaf(value: unknown, name: string): Leaf | undefined {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value
      case 'number':
        return Number.isFinite(value) ? value : null
      case 'bigint':
        throw invalid(`${name} is a BigInt, which JSON cannot hold: make it a string`)
      case 'object':
        break
      default:
        return undefined
    }
    if (value === null) return null
    let json: string | undefined
    try {
      json = JSON.stringify(value)
    } catch (error) {
      throw error instanceof TypeError
        ? invalid(`${name} cannot be written as JSON: ${error.message.split('\n', 1)[0]}`)
        : error
    }
    if (json === undefined) return undefined
    if (isTooDeep(json)) throw invalid(`${name} is nested deeper than ${DEEPEST} levels`)
    // A date, for one, becomes a plain string.
    return json.startsWith('{') || json.startsWith('[') ? { json } : JSON.parse(json)
  }

  /** Whoever masks, compares or writes a context calls itself for each level of it. */
  function isTooDeep(json: string) {
    if (json.length < DEEPEST * 2) return false
    let depth = 0
    for (let at = 0; at < json.length; at++) {
      const code = json.charCodeAt(at)
      if (code === QUOTE) at = endOfText(json, at)
      // Brackets and braces lie 32 apart, and nothing else outside of texts does.
      else if ((code | 32) === 123) {
        if (++depth > DEEPEST) return true
      } else if ((code | 32) === 125) depth--
    }
    return false
  }

  /** The quote that ends the text beginning at `start`. */
  function endOfText(json: string, start: number) {
    for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
      let before = end - 1
      while (json.charCodeAt(before) === BACKSLASH) before--
      if ((end - before) % 2 === 1) return end
    }
  }

  const isSame = (a: Leaf | undefined, b: Leaf | undefined) =>
    a === b ||
    (typeof a === 'object' &&
      typeof b === 'object' &&
      a !== null &&
      b !== null &&
      a.json === b.json)

  /** Holds request and response to the shape that all stages rely on. */
  function checked(top: string, sub: string, leaf: Leaf | undefined): Leaf | undefined {
    if (top === 'envs') return leaf
    const name = `${top}.${sub}`
    if (sub === 'body' && (leaf === undefined || leaf === null)) return ''
    if (sub === 'body' && typeof leaf !== 'string')
      throw invalid(`${name} must be a string: use JSON.stringify for objects`)
    if ((sub === 'method' || sub === 'url') && typeof leaf !== 'string')
      throw invalid(`${name} must be a string`)
    if (sub === 'code' && !Number.isInteger(leaf))
      throw invalid(`${name} must be a whole number, such as 200`)
    return sub === 'headers' ? checkedHeaders(name, leaf) : leaf
  }

  function checkedHeaders(name: string, leaf: Leaf | undefined): Leaf {
    if (leaf === undefined || leaf === null) return { json: '{}' }
    const headers: unknown = typeof leaf === 'object' ? JSON.parse(leaf.json) : leaf
    if (!isObject(headers)) throw invalid(`${name} must be an object of strings`)
    for (const [key, value] of Object.entries(headers))
      if (typeof value === 'number' || typeof value === 'boolean') put(headers, key, String(value))
      else if (typeof value !== 'string') throw invalid(`${name}.${key} must be a string`)
    return { json: JSON.stringify(headers) }
  }

  /** A fresh context out of its parts, so that nothing of an earlier stage can reach into it. */
  function build(base: Base): Record<string, unknown> {
    const valueOf = (leaf: Leaf): unknown =>
      typeof leaf === 'object' && leaf !== null ? JSON.parse(leaf.json) : leaf
    const context: Record<string, unknown> = {}
    for (const [top, part] of base) {
      if (!(part instanceof Map)) {
        put(context, top, valueOf(part))
        continue
      }
      const members = {}
      for (const [sub, leaf] of part) put(members, sub, valueOf(leaf))
      context[top] = members
    }
    return context
  }

  function compareMembers(
    base: Base,
    members: { top: string; value: unknown; whole: boolean },
    changes: Change[],
  ) {
    const { top, value, whole } = members
    if (!isObject(value)) throw invalid(`${top} must be an object`)
    const before = base.get(top)
    const known = before instanceof Map ? before : new Map<string, Leaf>()
    const keys = Object.keys(value)
    for (const sub of keys) {
      const raw = toLeaf(value[sub], `${top}.${sub}`)
      if (known.has(sub) && isSame(raw, known.get(sub))) continue
      const leaf = checked(top, sub, raw)
      if (!known.has(sub) || !isSame(leaf, known.get(sub))) changes.push({ top, sub, leaf })
    }
    if (!whole) return
    for (const sub of known.keys())
      if (!Object.hasOwn(value, sub)) changes.push({ top, sub, leaf: checked(top, sub, undefined) })
  }

  /**
   * What differs from `base`. `whole`: parts that are missing were taken away; otherwise `value` is
   * what a script returned and names only what changes.
   */
  function changesOf(base: Base, value: Record<string, unknown>, whole: boolean): Change[] {
    const changes: Change[] = []
    const keys = Object.keys(value)
    for (const top of keys)
      if (isSplit(top)) {
        const members = value[top]
        if (members === undefined && !whole) continue
        compareMembers(base, { top, value: members, whole }, changes)
      } else {
        const leaf = toLeaf(value[top], top)
        const before = base.get(top)
        if (!base.has(top) || before instanceof Map || !isSame(leaf, before))
          changes.push({ top, sub: undefined, leaf })
      }
    if (whole)
      for (const [top, before] of base)
        if (!keys.includes(top) && !(before instanceof Map))
          changes.push({ top, sub: undefined, leaf: undefined })
        else if (!keys.includes(top)) throw invalid(`${top} must be an object`)
    return changes
  }

  function apply(base: Base, changes: readonly Change[]) {
    for (const { top, sub, leaf } of changes) {
      if (sub === undefined) {
        if (leaf === undefined) base.delete(top)
        else base.set(top, leaf)
        continue
      }
      const members = base.get(top)
      if (!(members instanceof Map)) continue
      if (leaf === undefined) members.delete(sub)
      else members.set(sub, leaf)
    }
  }

  /** The parts of an object whose body crossed beside it. */
  function split(value: unknown, body: unknown): Map<string, Leaf> {
    const members = new Map<string, Leaf>()
    if (isObject(value))
      for (const key of Object.keys(value))
        members.set(
          key,
          key === 'body' && typeof body === 'string' ? body : (toLeaf(value[key], key) ?? null),
        )
    return members
  }

  /** Reads what crossing.ts wrote; @returns the parts and the index after them. */
  function decode(
    plan: { whole: boolean; slots: readonly { top: string; sub?: string }[] },
    values: ArrayLike<unknown>,
    from: number,
  ): [base: Base, next: number] {
    const base: Base = new Map()
    let at = from
    const mask = Number(values[at++])
    // Safe: the host writes text or nothing at these places.
    const textAt = (index: number) => values[index] as string | undefined
    if (plan.whole) {
      const context: Record<string, unknown> = JSON.parse(textAt(at) ?? '{}')
      for (const top of Object.keys(context)) {
        if (isSplit(top)) {
          const body = top === 'request' ? values[at + 1] : values[at + 2]
          base.set(top, split(context[top], body))
        } else base.set(top, toLeaf(context[top], top) ?? null)
      }
      return [base, at + 3]
    }
    for (const top of splitKeys) base.set(top, new Map())
    for (const [index, { top, sub }] of plan.slots.entries()) {
      const value = textAt(at++)
      const isJson = (mask & (1 << index)) !== 0
      const crossesBeside = sub === undefined && (top === 'request' || top === 'response')
      const body = crossesBeside ? values[at++] : undefined
      if (value === undefined) continue
      if (crossesBeside) base.set(top, split(JSON.parse(value), body))
      else if (sub === undefined && isSplit(top)) base.set(top, split(JSON.parse(value), undefined))
      else {
        const leaf = isJson ? { json: value } : value
        const members = base.get(top)
        if (sub !== undefined && members instanceof Map) members.set(sub, leaf)
        else base.set(top, leaf)
      }
    }
    return [base, at]
  }

  return { decode, build, changesOf, apply, toLeaf, isObject }
}
