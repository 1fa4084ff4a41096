/* oxlint-disable unicorn/consistent-function-scoping -- the text is sent into the isolate, so it must stand alone */
import type { LoadedLibraries } from './names.ts'

/**
 * Runs inside the isolate before and after the libraries' own code: `prepare` gives them what they
 * look for, `finish` makes them safe to share between runs. Its text must stand alone.
 */
export function setUpLibraries() {
  const builtIns = reachable([globalThis])
  const entropy: LoadedLibraries['entropy'] = {}
  // crypto-js looks for it while it is loaded, and keeps it.
  const crypto = {
    getRandomValues(array: ArrayBufferView): ArrayBufferView {
      if (!entropy.fill) throw new Error('There are no random values while libraries are loaded')
      return entropy.fill(array)
    },
  }
  Object.assign(globalThis, { crypto })

  /** Takes what the libraries have put on the global object. */
  function take(name: string): unknown {
    const value: unknown = Reflect.get(globalThis, name)
    Reflect.deleteProperty(globalThis, name)
    return value
  }

  type Callable = (...values: unknown[]) => Record<string, never>
  type Library = Callable & Record<string, Callable>

  function refuse(library: Library, names: string[], why: (name: string) => string) {
    for (const name of names) {
      const refused = () => {
        throw new TypeError(why(name))
      }
      Reflect.defineProperty(library, name, { value: refused, writable: true, configurable: true })
    }
  }

  function setUpLodash(lodash: Library): object {
    // The counter of the original tells one run how much the others have done.
    Object.assign(lodash, {
      uniqueId: (prefix?: unknown) =>
        `${typeof prefix === 'string' ? prefix : ''}${Math.floor(Math.random() * 2 ** 53)}`,
    })
    const forAll = (name: string) => `_.${name} would change lodash for other runs`
    refuse(lodash, ['mixin', 'noConflict'], forAll)
    const needsTimer = (name: string) => `_.${name} is not available: use setTimeout`
    refuse(lodash, ['debounce', 'defer', 'delay', 'throttle'], needsTimer)
    harden([lodash, ...prototypesBehind(lodash)])
    return lodash
  }

  /** Classes that lodash only shows by their instances: wrappers, and what customizers are given. */
  function prototypesBehind(lodash: Library): object[] {
    const instances: unknown[] = [Object(lodash([1])).map()]
    lodash['mergeWith']?.({ a: {} }, { a: { b: 1 } }, (...values: unknown[]) => {
      const stack = Object(values.at(-1))
      instances.push(stack, stack.__data__)
    })
    const cache: unknown = Reflect.get(Object(lodash['memoize']), 'Cache')
    if (typeof cache === 'function') instances.push(Reflect.construct(cache, []).__data__.hash)
    return instances.map((instance) => Object(Reflect.getPrototypeOf(Object(instance))))
  }

  function setUpCryptoJs(library: Record<string, Record<string, Library>>): object {
    // Both make a table when they are first used.
    library['enc']?.['Base64']?.['parse']?.('aQ==')
    library['enc']?.['Base64url']?.['parse']?.('aQ')
    harden([library])
    return library
  }

  function setUpCompromise(original: Library, dates: unknown): object {
    original['plugin']?.(dates)
    const text = 'On June 5th 2020 at 4pm Ann walked five miles. She is happier than 20% of us'
    const nlp = Object.assign((input: unknown, lexicon?: Record<string, unknown>) => {
      const document = original(input) as unknown as {
        lookup(words: string[]): { tag(tags: unknown): unknown }
      }
      for (const word of Object.keys(lexicon ?? {})) document.lookup([word]).tag(lexicon?.[word])
      return document
    }, original) as unknown as Library
    const forAll = (name: string) =>
      `nlp.${name} would change compromise for other runs: give words as nlp(text, { word: 'Tag' })`
    refuse(nlp, ['addTags', 'addWords', 'extend', 'plugin', 'typeahead', 'verbose'], forAll)
    const warm = nlp(text) as unknown as Record<string, () => Record<string, () => unknown>>
    const kinds = [
      'dates',
      'durations',
      'times',
      'numbers',
      'verbs',
      'nouns',
      'people',
      'sentences',
    ]
    const samples = kinds.map((kind) => warm[kind]?.() ?? {})
    for (const sample of samples) sample['json']?.()
    harden([original, nlp, warm, ...samples])
    return nlp
  }

  function reachable(roots: object[], known?: Set<object>): Set<object> {
    const seen = new Set<object>()
    const queue = [...roots]
    for (let object = queue.pop(); object; object = queue.pop()) {
      if (seen.has(object) || known?.has(object)) continue
      seen.add(object)
      const next: unknown[] = [Reflect.getPrototypeOf(object)]
      for (const key of Reflect.ownKeys(object)) {
        if (known) lockCollection(object, key)
        const descriptor = Reflect.getOwnPropertyDescriptor(object, key)
        next.push(descriptor?.value, descriptor?.get, descriptor?.set)
      }
      for (const one of next) if (Object(one) === one) queue.push(one as object)
    }
    return seen
  }

  /** The members of a frozen set could still be changed, so something that only reads replaces it. */
  function lockCollection(owner: object, key: PropertyKey) {
    const descriptor = Reflect.getOwnPropertyDescriptor(owner, key)
    const value: unknown = descriptor?.value
    if (value instanceof Map || value instanceof WeakMap || ArrayBuffer.isView(value))
      throw new Error(`A library shares what cannot be frozen: ${String(key)}`)
    if (!(value instanceof Set)) return
    const members: Set<unknown> = value
    const locked = {
      size: members.size,
      has: (one: unknown) => members.has(one),
      forEach: (visit: (one: unknown) => void) => {
        for (const one of members) visit(one)
      },
      values: () => members.values(),
      keys: () => members.values(),
      [Symbol.iterator]: () => members.values(),
    }
    if (!Reflect.defineProperty(owner, key, { value: locked }))
      throw new Error(`A library shares a set that cannot be replaced: ${String(key)}`)
  }

  /**
   * Freezes everything of a library. What is inherited stays assignable on the heir: the library
   * does so with its own objects, and a frozen data property would forbid it.
   */
  function harden(roots: object[]) {
    const objects = reachable(roots, builtIns)
    const prototypes = new Set<object>()
    for (const object of objects) {
      for (const one of [
        Reflect.getPrototypeOf(object),
        typeof object === 'function' ? Reflect.get(object, 'prototype') : null,
      ])
        if (Object(one) === one && !builtIns.has(one)) prototypes.add(one)
    }
    for (const prototype of prototypes)
      for (const key of Reflect.ownKeys(prototype)) allowOverride(prototype, key)
    for (const object of objects) Object.freeze(object)
  }

  function allowOverride(prototype: object, key: PropertyKey) {
    const descriptor = Reflect.getOwnPropertyDescriptor(prototype, key)
    if (!descriptor?.configurable || !('value' in descriptor)) return
    const { value, enumerable } = descriptor
    const get = () => value
    function set(this: unknown, replacement: unknown) {
      const isDone =
        this !== prototype &&
        Object(this) === this &&
        Reflect.defineProperty(this as object, key, {
          value: replacement,
          writable: true,
          enumerable: true,
          configurable: true,
        })
      if (!isDone) throw new TypeError(`Cannot change "${String(key)}" of a shared library`)
    }
    Object.freeze(get)
    Object.freeze(set.prototype)
    Object.freeze(set)
    Reflect.defineProperty(prototype, key, { enumerable, configurable: false, get, set })
  }

  return {
    finish() {
      take('crypto')
      const [lodash, nlp, dates, cryptoJs] = ['_', 'nlp', 'compromiseDates', 'CryptoJS'].map(take)
      const loaded: LoadedLibraries = {
        entropy,
        libraries: {
          ...(lodash !== undefined && { lodash: setUpLodash(lodash as Library) }),
          ...(nlp !== undefined && { compromise: setUpCompromise(nlp as Library, dates) }),
          ...(cryptoJs !== undefined && {
            'crypto-js': setUpCryptoJs(cryptoJs as Record<string, Record<string, Library>>),
          }),
        },
      }
      Object.assign(globalThis, { sluiceLibraries: loaded })
    },
  }
}
