import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LocalEngineOptions } from '../../../gateway/local-engine/config.ts'
import { startLocalEngine } from '../../../gateway/local-engine/start.ts'

/** An answer of the engine. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** As sent. */
  readonly text: string
  /** Parsed; undefined when it is no JSON. */
  // Safe: tests look into answers of many shapes, and fail when a member is missing.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

/** Sends a request; an object becomes JSON, an array of objects NDJSON, text goes as it is. */
export async function send(url: string, method: string, path: string, body?: unknown) {
  const headers: Record<string, string> = {}
  let payload: string | undefined
  if (body !== undefined) {
    headers['content-type'] = Array.isArray(body) ? 'application/x-ndjson' : 'application/json'
    payload = Array.isArray(body)
      ? body.map((one) => `${JSON.stringify(one)}\n`).join('')
      : typeof body === 'string'
        ? body
        : JSON.stringify(body)
  }
  const request = { method, headers, body: payload }
  const response =
    method === 'GET' && payload !== undefined
      ? await fetch(`${url}${path}`, { ...request, method: 'POST' })
      : await fetch(`${url}${path}`, request)
  return toAnswer(response)
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  }
}

/** A folder that goes away with the test. */
export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'local-engine-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** A real engine on a free port and a fresh folder, unless `dataDir` names one. */
export async function startEngine(options: Partial<LocalEngineOptions> = {}) {
  const folder = options.dataDir === undefined ? await temporaryFolder() : undefined
  const dataDir = options.dataDir ?? folder?.path ?? ''
  const engine = await startLocalEngine({ port: 0, ...options, dataDir })
  let isClosed = false
  const close = async () => {
    if (!isClosed) await engine.close()
    isClosed = true
  }
  return {
    ...engine,
    dataDir,
    close,
    send: (method: string, path: string, body?: unknown) => send(engine.url, method, path, body),
    async [Symbol.asyncDispose]() {
      await close()
      await folder?.[Symbol.asyncDispose]()
    },
  }
}

export type TestEngine = Awaited<ReturnType<typeof startEngine>>
