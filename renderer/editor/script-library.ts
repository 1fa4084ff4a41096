/** Declarations of what a stage script finds around it; Monaco's script worker completes from it. */
export const SCRIPT_LIBRARY = `
/** What a stage receives and may change. Stages before it may have added keys of their own. */
interface SluiceContext {
  /** The client's request. The body is text; parse it with JSON.parse. */
  request: { method: string; url: string; headers: Record<string, string>; body: string }
  /** The answer so far. The body is text; write it with JSON.stringify. */
  response: { code: number; headers: Record<string, string>; body: string }
  /** Variables of the pipeline, the environment and the cluster, and facts of the request. */
  envs: Record<string, unknown> & {
    index?: string[]
    query?: string
    category?: string
    acl?: string
    ipv4?: string
    method?: string
    origin?: string
    path?: string
    referer?: string
    referrer?: string
    urlValues?: Record<string, string>
  }
  [stageOutput: string]: any
}
/** The context of this run. */
declare const context: SluiceContext
/** Entries appear in the stage's logs, each with its line. */
declare const console: Record<'debug' | 'log' | 'info' | 'warn' | 'error', (...values: unknown[]) => void>
interface SluiceResponse {
  ok: boolean
  status: number
  statusText: string
  headers: { get(name: string): string | null }
  text(): Promise<string>
  json(): Promise<any>
}
/** Sends an HTTP request from the gateway; it appears among the stage's calls. */
declare function fetch(
  url: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<SluiceResponse>
declare function btoa(text: string): string
declare function atob(text: string): string
declare function setTimeout(run: () => void, delayMs?: number): number
declare function clearTimeout(timer: number): void
declare const crypto: {
  getRandomValues<T extends ArrayBufferView>(values: T): T
  randomUUID(): string
}
`
