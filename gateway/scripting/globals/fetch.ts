/* oxlint-disable unicorn/consistent-function-scoping -- the text is sent into the isolate, so it must stand alone */
import type { ScriptGlobal } from './define.ts'

/**
 * `fetch(url, { method, headers, body, redirect })` by way of the host. The result has what a
 * script knows from browsers, and turns into its body where a string is wanted, as older scripts
 * expect. `ok` means 200 to 299.
 */
export const fetchGlobal: ScriptGlobal = {
  name: 'fetch',
  types: `/** What \`fetch\` resolves to. Where a string is wanted it is the body: \`JSON.parse(await fetch(url))\`. */
interface ScriptResponse extends String {
  status: number
  statusText: string
  /** Whether the status is 200 to 299. */
  ok: boolean
  /** Names in lower case; \`get\` takes any case. */
  headers: Record<string, string> & {
    get(name: string): string | null
    has(name: string): boolean
  }
  /** Whether redirects were followed. */
  redirected: boolean
  /** The address that answered in the end. */
  url: string
  body: string
  json(): Promise<any>
  text(): Promise<string>
}
/** Settings of a \`fetch\`. */
interface ScriptRequest {
  /** GET unless given. */
  method?: string
  headers?: Record<string, string> | [name: string, value: string][]
  /** Use JSON.stringify for objects. */
  body?: string
  /** At most five redirects are followed; "manual" gives the redirect itself, "error" fails. */
  redirect?: 'follow' | 'manual' | 'error'
}
/** Sends an HTTP request from the gateway; it appears among the calls of the stage. */
declare function fetch(url: string, init?: ScriptRequest): Promise<ScriptResponse & string>`,
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
        get length(): number {
          return String(this).length
        }
        toString(): string {
          // Safe: the constructor assigned it.
          return (this as unknown as { body: string }).body
        }
      }
      // Older scripts take it for its body, which the result was.
      for (const name of Reflect.ownKeys(String.prototype)) {
        const isOwn = Object.hasOwn(FetchResult.prototype, name)
        if (isOwn || typeof Reflect.get(String.prototype, name) !== 'function') continue
        const { forward } = {
          forward(this: unknown, ...values: unknown[]): unknown {
            const body = String(this)
            return Reflect.apply(Reflect.get(String.prototype, name), body, values)
          },
        }
        Reflect.defineProperty(FetchResult.prototype, name, { value: forward })
      }
      for (const key of Reflect.ownKeys(FetchResult.prototype)) {
        const { value, get } = Reflect.getOwnPropertyDescriptor(FetchResult.prototype, key) ?? {}
        Object.freeze(value ?? get)
      }
      Object.freeze(FetchResult)
      Object.freeze(FetchResult.prototype)

      function headersOf(headers: unknown): Record<string, string> {
        const result: Record<string, string> = {}
        const pairs = Array.isArray(headers) ? headers : Object.entries(Object(headers))
        for (const [name, value] of pairs) result[String(name)] = String(value)
        return result
      }
      /** A map with the two methods that scripts for browsers use. */
      function readByName(headers: Record<string, string>) {
        const has = (name: unknown) => Object.hasOwn(headers, String(name).toLowerCase())
        const get = (name: unknown) => (has(name) ? headers[String(name).toLowerCase()] : null)
        const methods = { get, has }
        for (const [name, value] of Object.entries(methods))
          if (!Object.hasOwn(headers, name)) Reflect.defineProperty(headers, name, { value })
      }
      function bodyOf(body: unknown): string {
        if (body === undefined || body === null) return ''
        if (typeof body === 'string') return body
        throw new TypeError('fetch: body must be a string; use JSON.stringify for objects')
      }

      // The host holds what is sent until it is answered, and its memory is everyone's.
      const MOST_CHARS = 32_000_000
      const underWay = new WeakMap<object, number>()
      function count(run: object, chars: number) {
        const sum = (underWay.get(run) ?? 0) + chars
        if (sum > MOST_CHARS)
          throw new RangeError(
            `fetch: bodies of more than ${MOST_CHARS} characters are under way; await answers first`,
          )
        underWay.set(run, sum)
      }

      return (stage) =>
        async function fetch(target: unknown, settings?: unknown) {
          const init: Record<string, unknown> = Object(settings ?? {})
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
          const body = bodyOf(init.body)
          const payload = JSON.stringify(request)
          const chars = payload.length + body.length
          count(stage.run, chars)
          const reply = await call(stage, 'fetch', payload, body).finally(() =>
            count(stage.run, -chars),
          )
          const facts = JSON.parse(reply.json)
          readByName(facts.headers)
          return new FetchResult(
            { ...facts, ok: facts.status >= 200 && facts.status <= 299 },
            reply.text,
          )
        }
    },
  },
}
