import type { ScriptGlobal } from './define.ts'

/**
 * Texts that all scripts of the gateway share. What a run puts is its own until its present
 * stretch of code is over, so a stretch that is repeated stores nothing twice.
 */
export const kvGlobal: ScriptGlobal = {
  name: 'KV',
  realm: {
    perStage: ({ call, log, readStored }) => {
      const MOST_CHARS = 1_000_000
      const MOST_PUTS = 500
      const runs = new WeakMap<object, { own: Map<string, string>; puts: number }>()

      function text(name: string, value: unknown): string {
        if (typeof value === 'string') return value
        throw new TypeError(`KV: the ${name} must be a string; use JSON.stringify for objects`)
      }

      return (stage) => {
        const state = () => {
          const known = runs.get(stage.run)
          if (known) return known
          const made = { own: new Map<string, string>(), puts: 0 }
          runs.set(stage.run, made)
          return made
        }
        return Object.freeze({
          get(...values: unknown[]): string | null {
            if (values.length !== 1) throw new TypeError('KV.get takes one argument: the key')
            if (stage.over) throw new Error('KV.get was called after its stage had ended')
            const key = text('key', values[0])
            return state().own.get(key) ?? readStored(key)
          },
          put(...values: unknown[]): void {
            if (values.length !== 2)
              throw new TypeError('KV.put takes two arguments: the key and the value')
            if (stage.over) throw new Error('KV.put was called after its stage had ended')
            const key = text('key', values[0])
            const value = text('value', values[1])
            if (key.length + value.length > MOST_CHARS)
              throw new RangeError(`KV.put: at most ${MOST_CHARS} characters, key included`)
            const mine = state()
            if (++mine.puts > MOST_PUTS)
              throw new RangeError(`KV.put: at most ${MOST_PUTS} times in one run`)
            mine.own.set(key, value)
            call(stage, 'store', key, value).then(
              () => {
                if (mine.own.get(key) === value) mine.own.delete(key)
              },
              (error: unknown) => log(stage, 'error', ['KV.put failed:', error]),
            )
          },
        })
      }
    },
  },
  types: `/**
 * Texts that all scripts of the gateway share, kept in memory for five minutes after they were put.
 * Use a prefix of your own for keys.
 */
declare const KV: {
  /** The text under a key; null when there is none (any more). */
  get(key: string): string | null
  /** Keeps a text. Other runs see it once this stretch of the script is over. */
  put(key: string, value: string): void
}`,
}
