import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openCredentials } from './access/credentials.ts'
import { createHostCheck } from './access/hosts.ts'
import type { ServeConfig } from './config.ts'
import type { Ready } from './contract/ready.ts'
import type { LocalEngineProcess } from './engine/local-engine-process.ts'
import { createSwitchboard } from './engine/switchboard.ts'
import { openSecretStore } from './envs/secret-store.ts'
import { createControlListener } from './http/control-listener.ts'
import { createEventHub } from './http/events.ts'
import { createGatewayEndpoint } from './http/gateway-endpoint.ts'
import { drain, listen } from './http/listen.ts'
import { log, maskSecretsOf } from './http/log.ts'
import { openSqliteState } from './state/sqlite.ts'

const PAGE_DIR = fileURLToPath(new URL('../dist/renderer', import.meta.url))

/**
 * Puts the whole gateway together and starts it.
 * @throws {GatewayError} PORT_IN_USE, DATA_DIR_LOCKED, WORKSPACE_UNREADABLE.
 */
export async function startGateway(config: ServeConfig, localEngine?: LocalEngineProcess) {
  const state = openSqliteState(join(config.dataDir, 'state.db'))
  const secrets = openSecretStore(state, config.dataDir)
  maskSecretsOf(secrets.known)
  const credentials = await openCredentials(state, secrets)
  const events = createEventHub()
  const isAllowedHost = createHostCheck()
  const token = randomBytes(24).toString('base64url')

  const switchboard = createSwitchboard((engine) => events.emit({ type: 'engine', engine }))
  const endpoint = createGatewayEndpoint({
    isAllowedHost,
    verify: credentials.verify,
    engine: switchboard.current,
    mayTake: () => false,
    runPipeline: async () => false,
    health: () => ({ status: 200, body: { status: 'ok', engine: switchboard.state() } }),
  })
  const control = createControlListener({
    token,
    pageDir: PAGE_DIR,
    events,
    isAllowedHost,
    loadApi: async () => {
      throw new Error('later')
    },
  })
  const port = await listen(endpoint, config.port, '--port')
  const controlPort = await listen(control, 0, '--port')

  if (localEngine) {
    const { url } = await localEngine.ready
    switchboard.connect('local', url)
  } else switchboard.connect('remote', config.engine)

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
    await switchboard.close()
    await localEngine?.stop()
    state.close()
  }
  return { ready, close }
}
