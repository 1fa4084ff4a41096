/* oxlint-disable unicorn/consistent-function-scoping -- the text is sent into the isolate, so it must stand alone */
/**
 * Makes everything that scripts of different runs share immutable. Runs inside the isolate, once,
 * before any script; its text must stand alone.
 */
export function hardenRealm(): void {
  const SHARED_STATE = [
    'Atomics',
    'FinalizationRegistry',
    'SharedArrayBuffer',
    'WeakRef',
    'WebAssembly',
  ]
  for (const name of SHARED_STATE) Reflect.deleteProperty(globalThis, name)
  // What the last match was would pass from one run to the next.
  for (const name of Object.getOwnPropertyNames(RegExp))
    if (/^(\$.|input|last(Match|Paren)|(left|right)Context)$/.test(name))
      Reflect.deleteProperty(RegExp, name)
  Error.stackTraceLimit = 20

  const errorPrototypes = Object.getOwnPropertyNames(globalThis)
    .filter((name) => name.endsWith('Error'))
    .map((name) => Reflect.get(globalThis, name).prototype)
  const OVERRIDDEN: [prototype: object, names: string[]][] = [
    [
      Object.prototype,
      [
        'constructor',
        'toString',
        'valueOf',
        'toLocaleString',
        'hasOwnProperty',
        'isPrototypeOf',
        'propertyIsEnumerable',
      ],
    ],
    [Function.prototype, ['constructor', 'toString', 'bind', 'call', 'apply', 'name']],
    [Array.prototype, ['toString', 'toLocaleString']],
    [Date.prototype, ['constructor', 'toString', 'toJSON', 'valueOf']],
    ...errorPrototypes.map((prototype): [object, string[]] => [
      prototype,
      ['constructor', 'name', 'message', 'toString'],
    ]),
  ]
  for (const [prototype, names] of OVERRIDDEN)
    for (const name of names) allowOverride(prototype, name)

  freezeAll([globalThis, ...hiddenIntrinsics()])

  /** A frozen data property cannot be shadowed by assignment; an accessor that defines one can. */
  function allowOverride(prototype: object, name: string) {
    const descriptor = Reflect.getOwnPropertyDescriptor(prototype, name)
    if (!descriptor || !('value' in descriptor) || !descriptor.configurable) return
    const { value } = descriptor
    Reflect.defineProperty(prototype, name, {
      enumerable: descriptor.enumerable,
      configurable: false,
      get: () => value,
      set(this: unknown, replacement: unknown) {
        if (this === prototype || Object(this) !== this)
          throw new TypeError(`Cannot assign to "${name}" of a built-in object`)
        Reflect.defineProperty(Object(this), name, {
          value: replacement,
          writable: true,
          enumerable: true,
          configurable: true,
        })
      },
    })
  }

  /** What scripts can reach without a name: the prototypes behind syntax and iterators. */
  function hiddenIntrinsics(): object[] {
    const samples: object[] = [
      function* () {},
      async () => {},
      async function* () {},
      (function* () {})(),
      (async function* () {})(),
      [].values(),
      new Map().entries(),
      new Set().entries(),
      ''[Symbol.iterator](),
      ''.matchAll(/x/g),
      [].values().map(() => 0),
      Iterator.from({ next: () => ({ done: true, value: undefined }) }),
      new Intl.Segmenter().segment('x'),
      new Intl.Segmenter().segment('x')[Symbol.iterator](),
      Reflect.getPrototypeOf(Uint8Array) ?? {},
    ]
    return samples.flatMap((sample) => {
      const chain: object[] = []
      for (let next = Reflect.getPrototypeOf(sample); next; next = Reflect.getPrototypeOf(next))
        chain.push(next)
      return chain
    })
  }

  function freezeAll(roots: object[]) {
    const seen = new Set<object>()
    const queue = [...roots]
    for (let object = queue.pop(); object; object = queue.pop()) {
      if (seen.has(object)) continue
      seen.add(object)
      const next: unknown[] = [Reflect.getPrototypeOf(object)]
      for (const key of Reflect.ownKeys(object)) {
        const descriptor = Reflect.getOwnPropertyDescriptor(object, key)
        next.push(descriptor?.value, descriptor?.get, descriptor?.set)
      }
      Object.freeze(object)
      for (const one of next) if (one && Object(one) === one) queue.push(Object(one))
    }
  }
}
