import { createSandbox, type SandboxOptions } from '../../gateway/scripting/create-sandbox.ts'
import type {
  ScriptContext,
  ScriptFetchRequest,
  ScriptHost,
  ScriptResult,
} from '../../gateway/scripting/sandbox.ts'

/** A context with something in every place. */
export const sampleContext = (): ScriptContext => ({
  request: {
    method: 'POST',
    url: '/movies/_search',
    headers: { accept: 'application/json' },
    body: '{"query":"heat"}',
  },
  response: { code: 200, headers: { 'x-one': '1' }, body: '{"hits":3}' },
  envs: { query: 'heat', index: ['movies'] },
  genre: { name: 'Crime' },
})

export interface TestProgram extends Disposable {
  /** Runs all scripts one after the other, in one entry. */
  run(options?: RunOptions): Promise<ScriptResult[]>
  /** The requests the scripts have sent so far. */
  sent: ScriptFetchRequest[]
}

export interface RunOptions {
  context?: ScriptContext
  timeoutMs?: number
  signal?: AbortSignal
  continueOnError?: boolean
  isWatched?: boolean
  async?: boolean
}

/** Loads `texts` as the stages s0, s1, … of one program, in files `s0.js`, `s1.js`, … */
export function loadScripts(
  texts: string | readonly string[],
  options: SandboxOptions & { memoryMb?: number; fetch?: ScriptHost['fetch'] } = {},
): TestProgram {
  const sandbox = createSandbox(options)
  const scripts = [texts].flat().map((text, index) => ({
    stageId: `s${index}`,
    file: `s${index}.js`,
    line: 1,
    column: 1,
    text,
  }))
  const program = sandbox.load(scripts, { memoryMb: options.memoryMb ?? 32 })
  const sent: ScriptFetchRequest[] = []
  const host: ScriptHost = {
    async fetch(request, stageId, signal) {
      sent.push(request)
      if (options.fetch) return options.fetch(request, stageId, signal)
      const { url } = request
      const headers = { 'content-type': 'application/json' }
      return { status: 200, statusText: 'OK', headers, body: '{"ok":1}', redirected: false, url }
    },
  }
  return {
    sent,
    run: ({
      context,
      timeoutMs = 2000,
      signal,
      continueOnError = false,
      isWatched = true,
      async,
    } = {}) =>
      program.run({
        runId: 'r',
        context: context ?? sampleContext(),
        stages: scripts.map(({ stageId }) => ({ stageId, continueOnError, async })),
        limits: { timeoutMs, timeoutName: 'the limit here' },
        isWatched,
        signal: signal ?? new AbortController().signal,
        host,
      }),
    [Symbol.dispose]: () => sandbox.close(),
  }
}

/** One run of one script; its only result. */
export async function runScript(text: string, options: RunOptions = {}): Promise<ScriptResult> {
  using program = loadScripts(text)
  const [result] = await program.run(options)
  if (!result) throw new Error('the script gave no result')
  return result
}
