/* oxlint-disable unicorn/consistent-function-scoping -- the text is sent into the isolate, so it must stand alone */
import type { ScriptGlobal } from './define.ts'

/**
 * `fetch(url, { method, headers, body, redirect })` by way of the host. The result has what a
 * script knows from browsers, and turns into its body where a string is wanted, as older scripts
 * expect. `ok` means 200 to 299.
 */
export const fetchGlobal: ScriptGlobal = {
  name: 'fetch',
  realm: {
    perStage: ({ call }) => {
      class FetchResult {
        constructor(facts: object, body: string) {
          Object.assign(this, facts, { body })
        }
        async json(): Promise<unknown> {
          return JSON.parse(String(this))
        }
        async text(): Promise<string> {
          return String(this)
        }
        toString(): string {
          // Safe: the constructor assigned it.
          return (this as unknown as { body: string }).body
        }
      }
      Object.freeze(FetchResult)
      Object.freeze(FetchResult.prototype)

      function headersOf(headers: unknown): Record<string, string> {
        const result: Record<string, string> = {}
        const pairs = Array.isArray(headers) ? headers : Object.entries(Object(headers))
        for (const [name, value] of pairs) result[String(name)] = String(value)
        return result
      }
      function bodyOf(body: unknown): string {
        if (body === undefined || body === null) return ''
        if (typeof body === 'string') return body
        throw new TypeError('fetch: body must be a string; use JSON.stringify for objects')
      }

      return (stage) =>
        async function fetch(target: unknown, init: Record<string, unknown> = {}) {
          const url = String(Object(target).href ?? target)
          const redirect = init.redirect ?? 'follow'
          if (redirect !== 'follow' && redirect !== 'manual' && redirect !== 'error')
            throw new TypeError('fetch: redirect must be "follow", "manual" or "error"')
          const request = {
            method: (typeof init.method === 'string' ? init.method : 'GET').toUpperCase(),
            url,
            headers: headersOf(init.headers ?? {}),
            redirect,
          }
          const reply = await call(stage, 'fetch', JSON.stringify(request), bodyOf(init.body))
          const facts = JSON.parse(reply.json)
          return new FetchResult(
            { ...facts, ok: facts.status >= 200 && facts.status <= 299 },
            reply.text,
          )
        }
    },
  },
}
