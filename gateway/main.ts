import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openCredentials } from './access/credentials.ts'
import { createHostCheck } from './access/hosts.ts'
import type { ServeConfig } from './config.ts'
import type { Ready } from './contract/ready.ts'
import type { LocalEngineProcess, LocalEngineState } from './engine/local-engine-process.ts'
import { createSwitchboard, type Switchboard } from './engine/switchboard.ts'
import { openSecretStore, type SecretStore } from './envs/secret-store.ts'
import { createControlListener } from './http/control-listener.ts'
import { createEventHub } from './http/events.ts'
import { createGatewayEndpoint } from './http/gateway-endpoint.ts'
import type { createServing as CreateServing } from './http/serving.ts'
import { drain, listen } from './http/listen.ts'
import { log, maskSecretsOf } from './http/log.ts'
import type { SharedState } from './state/shared-state.ts'
import { openSqliteSharedState } from './state/sqlite-shared.ts'
import { openSqliteState } from './state/sqlite.ts'
import type { StateStore } from './state/state-store.ts'

type Serving = ReturnType<typeof CreateServing>

const VERSION = '0.1.0'
const CHECKED_MANIFEST = 'checked-manifest'
/** The built page; a test build for an old browser lies elsewhere. */
const PAGE_DIR =
  process.env.SLUICE_PAGE_DIR ?? fileURLToPath(new URL('../dist/renderer', import.meta.url))

/**
 * Puts the whole gateway together and starts it.
 * @throws {GatewayError} PORT_IN_USE, DATA_DIR_LOCKED, WORKSPACE_UNREADABLE.
 */
export async function startGateway(config: ServeConfig, localEngine?: LocalEngineProcess) {
  const state = openSqliteState(join(config.dataDir, 'state.db'))
  const secrets = openSecretStore(state, config.dataDir)
  maskSecretsOf(secrets.known)
  // A wrong key is told before the ready line; state of this machine is read after it.
  let shared = config.state === 'cluster' ? await openCluster(config, state, secrets) : undefined
  const credentials = await openCredentials(state, secrets)
  const events = createEventHub()
  const isAllowedHost = createHostCheck()
  const token = takeToken() ?? randomBytes(24).toString('base64url')

  const switchboard = createSwitchboard((engine) => events.emit({ type: 'engine', engine }))
  const started = Promise.withResolvers<number>()
  let serving: Serving | undefined
  const loading = started.promise.then(async (port) => {
    const { createServing } = await import('./http/serving.ts')
    shared ??= openSqliteSharedState(join(config.dataDir, 'state.db'))
    serving = createServing({
      version: VERSION,
      dataDir: config.dataDir,
      workspaceDir: config.workspaceDir,
      resume: config.resume,
      traceRate: config.traceRate,
      limits: config.limits,
      gatewayUrl: `http://127.0.0.1:${port}`,
      state,
      shared,
      secrets,
      credentials,
      switchboard,
      events,
    })
    return serving
  })
  const endpoint = createGatewayEndpoint({
    isAllowedHost,
    verify: credentials.verify,
    engine: switchboard.current,
    // Until the pipelines are known, every request might be for one of them.
    mayTake: (method, url) => serving?.mayTake(method, url) ?? true,
    runPipeline: async (request, response) => (await loading).runPipeline(request, response),
    answerApi: async (request, response) => (await loading).answerApi(request, response),
    health() {
      const state = shared?.health()
      // A balancer sends nothing here before this gateway knows the pipelines of its cluster.
      const isReady = state?.isLoaded ?? true
      return {
        status: isReady ? 200 : 503,
        body: {
          status: isReady ? 'ok' : 'starting',
          ...(state && { state }),
          engine: switchboard.state(),
          ...(serving && { load: serving.load() }),
        },
      }
    },
  })
  const control = createControlListener({
    token,
    pageDir: PAGE_DIR,
    events,
    isAllowedHost,
    async loadApi() {
      const [{ createControlApp }, { controlServices }] = await Promise.all([
        import('./http/control-app.ts'),
        loading,
      ])
      return (await createControlApp(controlServices())).routing
    },
  })
  const manifest = checkManifest(config.workspaceDir, state)
  // Awaited below, when the ports are open: until then a rejection is nobody's surprise.
  manifest.catch(() => undefined)
  const port = await listen(endpoint, config.port, '--port')
  const controlPort = await listenAgain(control, state)

  if (localEngine) {
    const { url } = await localEngine.ready
    switchboard.connect('local', url)
    localEngine.watch((state) => followLocalEngine(state, switchboard))
  } else switchboard.connect('remote', config.engine)
  await manifest
  // One turn later: loading a module graph is one long synchronous step, and the ready line goes first.
  setImmediate(() => started.resolve(port))
  loading.then(
    ({ loadSampleData }) => loadSampleData(),
    (problem: unknown) => log.error('serving-failed', { message: String(problem) }),
  )

  const ready: Ready = {
    event: 'ready',
    gateway: `http://127.0.0.1:${port}`,
    engine: switchboard.state().url,
    control: `http://127.0.0.1:${controlPort}`,
    ...(config.printCredentials && { token, ...credentials.adminPair() }),
    pid: process.pid,
  }
  log.info('ready', { gateway: ready.gateway, engine: ready.engine, control: ready.control })

  async function close() {
    events.close()
    await Promise.all([drain(endpoint), drain(control)])
    await (await loading).close()
    await switchboard.close()
    await localEngine?.stop()
    await shared?.close()
    state.close()
  }
  return { ready, close }
}

/** What all gateways of a cluster share; its modules are loaded only by those. */
async function openCluster(
  config: ServeConfig,
  state: StateStore,
  secrets: SecretStore,
): Promise<SharedState> {
  const [{ openStateOfCluster }, { shareAdmin }] = await Promise.all([
    import('./http/open-cluster-state.ts'),
    import('./access/share-admin.ts'),
  ])
  const cluster = { address: config.engine, intervalMs: config.syncMs }
  const shared = await openStateOfCluster(cluster, secrets)
  await shareAdmin(shared, state, secrets)
  return shared
}

/**
 * The token a watching parent gave: after a crash it starts the gateway with the same one, and open
 * pages go on. Taken out of the environment, so that no child of ours inherits it.
 */
function takeToken() {
  const token = process.env.SLUICE_TOKEN
  delete process.env.SLUICE_TOKEN
  return token !== undefined && token.length >= 24 ? token : undefined
}

/**
 * What is wrong with the manifest is told now; mistakes in pipelines are diagnostics, later. A text
 * that was right at the last start is not read again: loading the YAML reader would cost a fifth of
 * the time until the ready line.
 */
async function checkManifest(dir: string | undefined, state: StateStore) {
  if (dir === undefined) return
  const text = await readFile(join(dir, 'sluice.yaml')).catch(() => undefined)
  if (text === undefined) return
  const digest = createHash('sha256').update(text).digest('base64url')
  if (state.get(CHECKED_MANIFEST, dir) === digest) return
  const { readManifest } = await import('./workspace/manifest.ts')
  readManifest(dir)
  state.put(CHECKED_MANIFEST, dir, digest)
}

/**
 * Takes the control port of the last start when it is free: the page keeps drafts in storage that
 * belongs to its origin, and the port is part of that.
 */
async function listenAgain(control: Server, state: StateStore) {
  const last = state.get('listener', 'control-port')
  const port = await listen(control, typeof last === 'number' ? last : 0, '--port').catch(() =>
    listen(control, 0, '--port'),
  )
  if (port !== last) state.put('listener', 'control-port', port)
  return port
}

/** Shows what becomes of the local engine's process, as long as requests go to it. */
function followLocalEngine(state: LocalEngineState, switchboard: Switchboard) {
  if (switchboard.state().kind !== 'local') return
  if (state.status === 'down') switchboard.report('down', state.message)
  else switchboard.report(state.status)
}
