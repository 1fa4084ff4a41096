/* oxlint-disable unicorn/consistent-function-scoping -- the text is sent into the isolate, so it must stand alone */
import type { ScriptGlobal } from './define.ts'

/** Lines of JSON, as `_bulk` and `_msearch` have them. */
export const ndjsonGlobal: ScriptGlobal = {
  name: 'ndjson',
  realm: {
    shared: () => ({
      parse(source: unknown): unknown[] {
        const values: unknown[] = []
        for (const [index, line] of String(source).split('\n').entries()) {
          if (line.trim() === '') continue
          try {
            values.push(JSON.parse(line))
          } catch (error) {
            const why = error instanceof Error ? error.message : String(error)
            throw new SyntaxError(`ndjson.parse: line ${index + 1}: ${why}`)
          }
        }
        return values
      },
      stringify(values: unknown): string {
        if (!Array.isArray(values))
          throw new TypeError('ndjson.stringify: the value must be an array')
        return values.map((value) => `${JSON.stringify(value) ?? 'null'}\n`).join('')
      },
    }),
  },
  types: `/** Lines of JSON, as _bulk and _msearch have them. */
declare const ndjson: {
  /** The value of each line; empty lines are left out. */
  parse(text: string): any[]
  /** One line for each value, each with its line break. */
  stringify(values: readonly unknown[]): string
}`,
}
