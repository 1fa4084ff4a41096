/* oxlint-disable unicorn/consistent-function-scoping -- the text is sent into the isolate, so it must stand alone */
/**
 * Refuses sizes with which a single call of a built-in cannot be interrupted, or ends the whole
 * process where only the isolate should end. Runs inside the isolate before the realm is frozen;
 * its text must stand alone. What fits into the heap of a script is far below these sizes.
 */
export function guardBuiltIns(): void {
  const MOST_ITEMS = 2 ** 25
  const MOST_SORTED = 2 ** 22
  const MOST_CHARS = 2 ** 26

  const lengthOf = (value: unknown): number =>
    value === undefined || value === null ? 0 : Number(Object(value).length)

  function guard(
    prototype: object,
    name: string,
    isTooLarge: (self: unknown, by: unknown) => boolean,
  ) {
    const original: unknown = Reflect.get(prototype, name)
    if (typeof original !== 'function') return
    const guarded = {
      [name](this: unknown, ...values: unknown[]): unknown {
        if (isTooLarge(this, values[0])) throw new RangeError(`${name}: too large for a script`)
        return Reflect.apply(original, this, values)
      },
    }[name]
    if (!guarded) return
    Reflect.defineProperty(guarded, 'length', { value: original.length, configurable: true })
    Reflect.defineProperty(prototype, name, {
      value: guarded,
      writable: true,
      enumerable: false,
      configurable: true,
    })
  }

  const walking = ['fill', 'indexOf', 'lastIndexOf', 'includes', 'join', 'reverse', 'copyWithin']
  const copying = ['toReversed', 'toSpliced', 'with']
  for (const name of [...walking, ...copying])
    guard(Array.prototype, name, (self) => lengthOf(self) > MOST_ITEMS)
  for (const name of ['sort', 'toSorted'])
    guard(Array.prototype, name, (self) => lengthOf(self) > MOST_SORTED)
  for (const name of ['split', 'replace', 'replaceAll', 'match', 'matchAll', 'normalize'])
    guard(String.prototype, name, (self) => lengthOf(self) > MOST_CHARS)
  guard(String.prototype, 'repeat', (self, by) => lengthOf(self) * Number(by) > MOST_CHARS)
  for (const name of ['padStart', 'padEnd'])
    guard(String.prototype, name, (_self, by) => Number(by) > MOST_CHARS)
}
