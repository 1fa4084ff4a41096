import type { EngineState } from '../contract/workspace.ts'
import { errors } from '../errors.ts'
import { askEngine } from './client.ts'
import { openConnection, type EngineConnection } from './connection.ts'

/** The engine requests go to now, and what is known of it. */
export type Switchboard = ReturnType<typeof createSwitchboard>

/** Holds the one current engine connection; `onState` hears of every change of its state. */
export function createSwitchboard(onState: (state: EngineState) => void) {
  let connection: EngineConnection | undefined
  let state: EngineState = { kind: 'local', url: '', status: 'starting' }

  const setState = (next: EngineState) => {
    state = next
    onState(next)
  }

  /** Makes the engine at `address` the current one; its version is asked for in the background. */
  function connect(kind: 'local' | 'remote', address: string) {
    const former = connection
    const opened = openConnection(kind, address)
    connection = opened
    setState({ kind, url: opened.url, status: 'up' })
    void former?.pool.close()
    void readVersion(opened).then(
      (version) => connection === opened && setState({ ...state, status: 'up', version }),
      (problem: unknown) =>
        connection === opened &&
        setState({
          ...state,
          status: 'down',
          message: problem instanceof Error ? problem.message : String(problem),
        }),
    )
  }

  return {
    connect,
    /** @throws {GatewayError} ENGINE_STARTING until the first engine has been there. */
    current(): EngineConnection {
      if (connection && !(state.kind === 'local' && state.status === 'starting')) return connection
      throw errors.engineStarting('The local engine is starting; try again in a moment', {
        retryAfterSeconds: 1,
      })
    },
    state: () => state,
    /** Tells what the watcher of the local engine's process sees. */
    report(status: EngineState['status'], message?: string) {
      const { message: _old, ...rest } = state
      setState({ ...rest, status, ...(message !== undefined && { message }) })
    },
    close: async () => connection?.pool.close(),
  }
}

/**
 * Distribution and number, such as `opensearch 3.8.0`.
 * @throws {GatewayError} when there is no answer, or one that no search engine gives.
 */
export async function readVersion(connection: EngineConnection) {
  const answer = await askEngine(connection, { method: 'GET', path: '/' })
  if (answer.status === 401 || answer.status === 403)
    throw errors.unauthorized(
      `The engine at ${connection.url} answered ${answer.status}: user name or password are wrong`,
    )
  const number = /"number"\s*:\s*"([^"]+)"/.exec(answer.body)?.[1]
  if (answer.status !== 200 || number === undefined)
    throw errors.engineProtocol(
      `What answers at ${connection.url} is no search engine (status ${answer.status})`,
    )
  const distribution = /"distribution"\s*:\s*"([^"]+)"/.exec(answer.body)?.[1] ?? 'elasticsearch'
  return `${distribution} ${number}`
}
