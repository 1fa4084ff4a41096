/** Replaces secrets in a text. */
export type Mask = (text: string) => string

const MOST_CHARACTERS = 200
const DEEPEST = 4

/**
 * A value as one short line, about JSON; `nil` for nothing. With `mask` texts are masked and then
 * cut; without it a long text is told by its length, because a secret cut in half is not found.
 */
export function preview(value: unknown, mask?: Mask): string {
  let left = MOST_CHARACTERS
  const spend = (text: string) => {
    left -= text.length
    return text
  }

  function textOf(text: string) {
    if (mask) {
      const masked = mask(text)
      const room = Math.max(20, left)
      return JSON.stringify(masked.length > room ? `${masked.slice(0, room)}…` : masked)
    }
    return text.length > MOST_CHARACTERS
      ? `a text of ${text.length} characters`
      : JSON.stringify(text)
  }

  /** Whole elements only, as long as there is room. */
  function listed<T>(items: readonly T[], one: (item: T) => string) {
    const shown: string[] = []
    for (const item of items) {
      if (left <= 0) {
        shown.push('…')
        break
      }
      shown.push(one(item))
    }
    return shown.join(',')
  }

  function show(value: unknown, depth: number): string {
    if (value === undefined || value === null) return spend('nil')
    if (typeof value === 'string') return spend(textOf(value))
    if (typeof value === 'number') return spend(mask ? mask(`${value}`) : `${value}`)
    if (typeof value !== 'object') return spend(value === true ? 'true' : 'false')
    if (depth > DEEPEST) return spend('…')
    if (Array.isArray(value)) return `[${listed(value, (item) => show(item, depth + 1))}]`
    return `{${listed(Object.entries(value), ([key, item]) => `${spend(textOf(key))}:${show(item, depth + 1)}`)}}`
  }
  return show(value, 0)
}
