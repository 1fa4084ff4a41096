import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { usualLimits } from '../../gateway/contract/limits.ts'
import { askEngine } from '../../gateway/engine/client.ts'
import { openConnection } from '../../gateway/engine/connection.ts'
import { createOutbound } from '../../gateway/engine/outbound.ts'
import { createMatcher } from '../../gateway/pipeline/match.ts'
import { parsePipeline } from '../../gateway/pipeline/parse-pipeline.ts'
import { compilePlan } from '../../gateway/pipeline/plan.ts'
import type { RequestFacts } from '../../gateway/pipeline/request-facts.ts'
import { executeRun } from '../../gateway/runtime/run.ts'
import type { RunLimits, RunRequest } from '../../gateway/runtime/run-request.ts'
import { createSandbox } from '../../gateway/scripting/create-sandbox.ts'
import { builtInStages } from '../../gateway/stages/index.ts'
import { createRecorder } from '../../gateway/trace/recorder.ts'
import { createTraceStore } from '../../gateway/trace/store.ts'

interface PipelineFile {
  path: string
  text: string
  /** Of a stored pipeline: its version, and whether that is the live one. */
  version?: number
  isLive?: boolean
}
/** How a run differs from a usual one. */
type RunOptions = Partial<Omit<RunRequest, 'limits'>> & { limits?: Partial<RunLimits> }

/** Reads a pipeline with the real stages; `environment` are the values behind `${{NAME}}`. */
export const parseFile = ({ path, text }: PipelineFile, environment: Record<string, string> = {}) =>
  parsePipeline(
    { path, text },
    {
      stages: builtInStages,
      resolveScript(ref) {
        const file = join(dirname(path), ref)
        return existsSync(file)
          ? { path: file, text: readFileSync(file, 'utf8') }
          : { candidates: [] }
      },
      environment: (name) => environment[name],
    },
  )

/** One pipeline with everything real around it: sandbox, stages, recorder, and a server to call. */
export function openPipeline(
  file: PipelineFile,
  {
    serverUrl,
    others = [],
    environment = {},
  }: {
    serverUrl: string
    /** Pipelines that are served beside it. */
    others?: readonly PipelineFile[]
    environment?: Record<string, string>
  },
) {
  const plans = [file, ...others].map((one) => {
    const { definition, sources, diagnostics } = parseFile(one, {
      SERVER: serverUrl,
      ...environment,
    })
    const { version, isLive } = one
    if (definition)
      return {
        ...compilePlan({ definition, sources }, builtInStages),
        ...(version !== undefined && { version }),
        ...(isLive !== undefined && { isLive }),
      }
    throw new Error(diagnostics.map(({ message, source }) => `${source.line}: ${message}`).join())
  })
  const matcher = createMatcher(plans)
  const sandbox = createSandbox()
  const programs = new Map(
    plans.map((plan) => [plan, sandbox.load(plan.scripts, { memoryMb: 64 })]),
  )
  const store = createTraceStore({ maxBytes: 50_000_000, mask: (text) => text, version: '0' })
  const recorder = createRecorder({ store, emit: () => {}, mask: (text) => text, rate: 1 })
  const outbound = createOutbound(new Set(['127.0.0.1']))
  const engine = openConnection('remote', serverUrl)
  const services: RunRequest['services'] = {
    async sendToEngine({ url, ...request }, signal) {
      const { status, ...answer } = await askEngine(engine, { ...request, path: url }, signal)
      return { code: status, headers: answer.headers, body: answer.body }
    },
    async fetch(request, signal) {
      const { status, headers, body } = await outbound.call(request, signal)
      return { code: status, headers, body }
    },
    scriptFetch: outbound.call,
  }
  const toFacts = (facts: Partial<RequestFacts>): RequestFacts => ({
    method: 'POST',
    url: '/',
    headers: {},
    body: '',
    clientIp: '127.0.0.1',
    isTls: false,
    ...facts,
  })
  return {
    store,
    /** Which pipeline takes a request, and why each of them does or does not. */
    explain: (facts: Partial<RequestFacts>, envs: RunRequest['envs'] = {}) =>
      matcher.explain(toFacts(facts), envs),
    /** Runs what takes the request and waits for the stages in the background, too. */
    async run(facts: Partial<RequestFacts>, { limits, ...options }: RunOptions = {}) {
      const request = toFacts(facts)
      const match = matcher.match(request, options.envs)
      if (typeof match !== 'object') throw new Error(`${request.url} does not match`)
      const runId = options.runId ?? 'run'
      const program = programs.get(match.plan)
      const result = await executeRun({
        runId,
        match,
        request,
        services,
        ...(program && { program }),
        observers: recorder.observersOf(true),
        ...options,
        ...(limits && { limits: { ...usualLimits, ...limits } }),
      })
      await result.background
      return { ...result, trace: store.get(runId) }
    },
    async [Symbol.asyncDispose]() {
      sandbox.close()
      await outbound.close()
      await engine.pool.close()
    },
  }
}
