/* oxlint-disable unicorn/consistent-function-scoping -- the text is sent into the isolate, so it must stand alone */
/** A logged value as contract/trace.ts LogEntry wants it. */
export interface Inspected {
  kind: 'json' | 'text'
  text: string
}

/**
 * Writes values for the log: JSON text with exact integers; what JSON cannot say is a text at the
 * top and a bracketed string further down. Runs inside the isolate; its text must stand alone.
 */
export function createInspect({ maxChars, maxDepth }: { maxChars: number; maxDepth: number }) {
  const SEPARATOR = 1
  return function inspect(value: unknown): Inspected {
    let left = maxChars
    const above: object[] = []

    if (isText(value)) return { kind: 'text', text: cut(describe(value)) }
    return { kind: 'json', text: write(value) }

    function isText(value: unknown) {
      return (
        value === undefined ||
        typeof value === 'function' ||
        typeof value === 'symbol' ||
        isError(value) ||
        (typeof value === 'number' && !Number.isFinite(value))
      )
    }

    function isError(value: unknown): value is Error {
      try {
        return value instanceof Error
      } catch {
        return false
      }
    }

    function describe(value: unknown): string {
      try {
        if (typeof value === 'function') return `[Function ${value.name || '(anonymous)'}]`
        if (isError(value)) return String(value.stack ?? value)
        return String(value)
      } catch {
        return '[object that cannot be shown]'
      }
    }

    function cut(text: string) {
      return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text
    }

    function put(text: string): string {
      left -= text.length
      return text
    }

    function quote(text: string): string {
      const room = Math.max(left, 0)
      return put(JSON.stringify(text.length > room ? `${text.slice(0, room)}…` : text))
    }

    function write(value: unknown): string {
      if (typeof value === 'string') return quote(value)
      if (typeof value === 'bigint') return put(value.toString())
      if (value === null || typeof value === 'boolean') return put(String(value))
      if (typeof value === 'number' && Number.isFinite(value)) return put(JSON.stringify(value))
      if (isText(value) || typeof value !== 'object')
        return quote(typeof value === 'function' ? describe(value) : `[${describe(value)}]`)
      if (above.includes(value)) return quote('[circular]')
      if (above.length >= maxDepth) return quote(Array.isArray(value) ? '[array]' : '[object]')
      above.push(value)
      try {
        return writeObject(value)
      } catch (error) {
        return quote(`[threw ${describe(error)}]`)
      } finally {
        above.pop()
      }
    }

    function writeObject(value: object): string {
      if (value instanceof Date)
        return quote(Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString())
      if (value instanceof RegExp) return quote(String(value))
      if (value instanceof Promise) return quote('[promise]')
      if (value instanceof Map) return writeMembers(value.size, [...value].values(), false)
      if (value instanceof Set) return writeItems([...value])
      if (ArrayBuffer.isView(value) && !(value instanceof DataView))
        // Safe: every view but DataView is a typed array.
        return writeItems(value as unknown as ArrayLike<unknown>)
      if (Array.isArray(value)) return writeItems(value)
      const keys = Object.keys(value)
      const entries = keys.values().map((key): [unknown, unknown] => [key, Reflect.get(value, key)])
      return writeMembers(keys.length, entries, true)
    }

    function writeItems(items: ArrayLike<unknown>): string {
      const parts: string[] = []
      for (let i = 0; i < items.length; i++) {
        if (left <= 0) {
          parts.push(JSON.stringify(`… ${items.length - i} more`))
          break
        }
        left -= SEPARATOR
        parts.push(write(items[i]))
      }
      return `[${parts.join(',')}]`
    }

    function writeMembers(
      size: number,
      entries: Iterator<[unknown, unknown]>,
      isObject: boolean,
    ): string {
      const parts: string[] = []
      for (let count = 0; count < size; count++) {
        if (left <= 0) {
          parts.push(`"…":"${size - count} more"`)
          break
        }
        const [key, member] = entries.next().value ?? []
        left -= SEPARATOR
        const name = isObject || typeof key === 'string' ? String(key) : inspectKey(key)
        parts.push(`${quote(name)}:${write(member)}`)
      }
      return `{${parts.join(',')}}`
    }

    function inspectKey(key: unknown): string {
      return Object(key) === key ? '[object]' : describe(key)
    }
  }
}
