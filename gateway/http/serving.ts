import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Credentials } from '../access/credentials.ts'
import type { Limits } from '../contract/limits.ts'
import type { EngineConnection } from '../engine/client.ts'
import { openConnection } from '../engine/connection.ts'
import { createOutbound } from '../engine/outbound.ts'
import type { Switchboard } from '../engine/switchboard.ts'
import { openGlobalEnvs } from '../envs/open-global-envs.ts'
import type { SecretStore } from '../envs/secret-store.ts'
import type { RouteMatch } from '../pipeline/match.ts'
import { errors } from '../errors.ts'
import { openStateSource } from '../library/state-source.ts'
import { createRunGate } from '../runtime/run-gate.ts'
import { builtInStages, plannedStages } from '../stages/index.ts'
import { createClaims } from '../state/claims.ts'
import type { SharedState } from '../state/shared-state.ts'
import type { StateStore } from '../state/state-store.ts'
import { createRecorder } from '../trace/recorder.ts'
import { createTraceStore } from '../trace/store.ts'
import { createWorkspaceSession } from '../workspace/session.ts'
import { builtInDeclarative, looksDeclarative } from './built-in-route.ts'
import { answerValidate, isValidateRequest } from './declarative-validate.ts'
import { effectiveLimits } from './effective-limits.ts'
import type { EventHub } from './events.ts'
import { explainRequest } from './explain-request.ts'
import { log, mask, maskSecretsOf } from './log.ts'
import { makeControlServices } from './make-control-services.ts'
import { createPipelineEndpoint } from './pipeline-endpoint.ts'
import { MEGABYTE } from './read-body.ts'
import { createRunRecords } from './run-records.ts'
import { createRunServices } from './run-services.ts'
import { createScheduling } from './scheduling.ts'
import { createScripting } from './scripting.ts'

const TRACE_BYTES = 256 * 1024 * 1024

interface Parts {
  version: string
  dataDir: string
  workspaceDir: string | undefined
  resume: boolean
  traceRate: number
  /** Limits that hold whatever the workspace says. */
  limits: Partial<Limits>
  gatewayUrl: string
  state: StateStore
  /** Read by `health`: nothing is served before it was loaded once. */
  shared: SharedState
  secrets: SecretStore
  credentials: Credentials
  switchboard: Switchboard
  events: EventHub
}

/**
 * Everything behind the two listeners: pipelines, scripts, traces, the workspace and the services of
 * the control API. Loaded after the gateway listens (decisions/0002).
 */
export function createServing(parts: Parts) {
  const { events, switchboard, credentials, secrets } = parts
  // The workspace comes later: it is read with these limits, and sets some of them.
  let limitsOfWorkspace: () => Partial<Limits> | undefined = () => undefined
  const limits = effectiveLimits(parts.limits, () => limitsOfWorkspace())
  const gate = createRunGate(limits)
  const scripting = createScripting(limits)
  const outbound = createOutbound()
  const runSecret = randomBytes(16).toString('hex')
  const traces = createTraceStore({ maxBytes: TRACE_BYTES, mask, version: parts.version })
  const recorder = createRecorder({
    store: traces,
    emit: events.emit,
    mask,
    rate: parts.traceRate,
    isWatched: events.hasListeners,
  })
  const localEngine = (): EngineConnection | undefined =>
    switchboard.state().kind === 'local' && switchboard.state().status === 'up'
      ? switchboard.current()
      : undefined
  const compiling = {
    kinds: builtInStages,
    planned: plannedStages,
    maxStages: () => limits().stages,
    checkScript: scripting.checkScript,
  }
  const session = createWorkspaceSession({
    ...compiling,
    dataDir: parts.dataDir,
    state: parts.state,
    secrets,
    mayOpen: parts.shared.health().kind === 'local',
    stored: openStateSource(parts.shared, compiling),
    openGlobalEnvs: (scope) => openGlobalEnvs(parts.shared, secrets, scope),
    localEngine,
    emit: events.emit,
    onLoaded(plans) {
      scripting.serve(plans)
      scheduling.serve(plans)
    },
    onMistake: ({ message, source: { file, line, column } }) =>
      log.warn('file-unreadable', { message: `${file}:${line}:${column}: ${message}` }),
    onProblem: (problem) => log.error('envs-not-saved', { message: String(problem) }),
  })
  limitsOfWorkspace = session.limits
  const knownSecrets = () => [...secrets.known(), ...session.secrets()]
  maskSecretsOf(knownSecrets)
  const records = createRunRecords({
    dataDir: parts.dataDir,
    limits,
    secrets: knownSecrets,
    hasPipeline: (id, version) =>
      (version === undefined ? session.library.get(id) : session.library.version(id, version)) !==
      undefined,
  })
  const shared = {
    verify: credentials.verify,
    runServices: createRunServices({ switchboard, outbound, dataReady: session.dataReady }),
    observers(asked: boolean, match: RouteMatch) {
      const recording = recorder.observersOf(asked)
      const logging = records.observersOf(match)
      return logging.length === 0 ? recording : [...recording, ...logging]
    },
    tallyOf: records.tallyOf,
    runSecret,
    gate,
    limits,
    hold: scripting.hold,
  }
  const scheduling = createScheduling({
    ...shared,
    // State of this machine has one gateway: nobody else could want the tick.
    claim: parts.shared.health().kind === 'cluster' ? createClaims(parts.shared) : async () => true,
    envs: () => session.served().envs,
    emit: events.emit,
  })
  if (parts.workspaceDir !== undefined) session.open(parts.workspaceDir)
  else if (parts.resume) session.resume()
  else session.serveStored()

  const fromWorkspace = createPipelineEndpoint({
    ...shared,
    pipelines: () => session.served(),
  })
  const load = () => ({ ...gate.state(), ...scripting.state() })
  const builtIn = builtInDeclarative(builtInStages)
  const fromBuiltIn = createPipelineEndpoint({
    ...shared,
    pipelines: () => ({ matcher: builtIn, envs: session.served().envs }),
  })

  let wasLoaded = false
  // Once for all: every request asks.
  const isLoaded = () => (wasLoaded ||= parts.shared.health().isLoaded)

  /** Loaded when it is first asked for: most gateways never are. */
  let api:
    Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>> | undefined
  const loadApi = () =>
    (api ??= import('./gateway-api/create-gateway-api.ts').then(
      ({ createGatewayApi, makeApiServices }) =>
        createGatewayApi({
          verify: credentials.verify,
          checkReady() {
            if (!isLoaded()) throw notLoaded(parts.shared)
          },
          services: makeApiServices({
            ...shared,
            version: parts.version,
            library: session.library,
            globalEnvs: session.globalEnvs,
            compileDraft: session.compileDraft,
            environment: session.environment,
            compiling,
            scripting,
            outbound,
            state: parts.state,
            records: records.services,
          }),
        }),
    ))

  return {
    answerApi: async (request: IncomingMessage, response: ServerResponse) =>
      (await loadApi())(request, response),
    mayTake: (method: string, url: string) =>
      looksDeclarative(url) ||
      !isLoaded() ||
      session.served().matcher.mayMatch(method, firstSegment(url)),
    async runPipeline(request: IncomingMessage, response: ServerResponse) {
      if (!isLoaded()) throw notLoaded(parts.shared)
      const taken = await fromWorkspace(request, response)
      if (taken.taken) return taken
      if (isValidateRequest(request)) {
        await answerValidate(request, response, {
          verify: credentials.verify,
          bodyLimitBytes: limits().bodyMb * MEGABYTE,
          ...(taken.body && { body: taken.body }),
        })
        return { taken: true } as const
      }
      return looksDeclarative(request.url ?? '')
        ? fromBuiltIn(request, response, taken.body)
        : taken
    },
    /** How much is under way, for health checks and the workbench. */
    load,
    /** Fills the local engine with the open workspace's sample data, once it answers. */
    loadSampleData: session.loadSampleData,
    controlServices: () => {
      const { username, password } = credentials.adminPair()
      const pair = Buffer.from(`${username}:${password}`).toString('base64')
      return makeControlServices({
        ...parts,
        kinds: builtInStages,
        authorization: `Basic ${pair}`,
        runSecret,
        session,
        traces,
        load,
        openConnection,
        explain: (request) =>
          explainRequest(request, { pipelines: () => session.served(), builtIn, mask }),
      })
    },
    async close() {
      await session.close()
      await scheduling.close()
      scripting.close()
      await outbound.close()
      await records.close()
    },
  }
}

/** The text between the first and the second slash. */
function firstSegment(url: string) {
  for (let i = 1; i < url.length; i++) {
    const char = url.charCodeAt(i)
    // slash, question mark
    if (char === 47 || char === 63) return url.slice(1, i)
  }
  return url.slice(1)
}

/** What is answered until the state of a cluster was read once. */
const notLoaded = (state: SharedState) =>
  errors.stateUnavailable(
    `The pipelines of this cluster are not known yet: ${state.health().problem ?? 'they are being read'}`,
    { retryAfterSeconds: 1 },
  )
