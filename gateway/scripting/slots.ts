/** Things of a short life by number. */
export interface Slots<T> {
  /** @returns the number it is known by from now on; never 0. */
  add(value: T): number
  get(key: number): T | undefined
  remove(key: number): void
  values(): T[]
  size(): number
  clear(): void
}

/** More than can be under way at once; the place of a number is what is left of it by this. */
export const PLACES = 2 ** 20

/**
 * Keeps values in places that are used again. A `Map` would grow a new table every few additions,
 * and V8 chains each old table to the next one: once such a table is in the old generation, it keeps
 * everything that is added later alive until the next full collection.
 */
export function createSlots<T>(): Slots<T> {
  const values: (T | undefined)[] = []
  const keys: number[] = []
  const free: number[] = []
  let size = 0
  let turn = 1
  return {
    add(value) {
      const place = free.pop() ?? values.length
      const key = place + PLACES * turn++
      values[place] = value
      keys[place] = key
      size++
      return key
    },
    get: (key) => (keys[key % PLACES] === key ? values[key % PLACES] : undefined),
    remove(key) {
      const place = key % PLACES
      if (keys[place] !== key) return
      keys[place] = 0
      values[place] = undefined
      free.push(place)
      size--
    },
    values: () => values.filter((value) => value !== undefined),
    size: () => size,
    clear() {
      values.length = 0
      keys.length = 0
      free.length = 0
      size = 0
    },
  }
}
