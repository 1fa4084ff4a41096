import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { LocalEngineOptions } from '../../../gateway/local-engine/config.ts'

const MAIN = new URL('../../../gateway/local-engine/main.ts', import.meta.url)

interface ReadyMessage {
  readonly event: 'ready'
  readonly url: string
  readonly pid: number
  readonly documents: number
  readonly openMs: number
}

interface FailedMessage {
  readonly event: 'failed'
  readonly code: string
  readonly message: string
}

/** Starts the engine as the gateway does: a process, its options as the first message. */
export async function forkEngine(options: LocalEngineOptions) {
  const child = fork(MAIN, [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  let log = ''
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
  const ended = once(child, 'exit')
  child.send(options)
  const [message] = (await once(child, 'message')) as [ReadyMessage | FailedMessage]
  return {
    message,
    url: message.event === 'ready' ? message.url : '',
    log: () => log,
    /** Ends it without a chance to save anything. */
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    /** @returns its exit code. */
    async stop(): Promise<unknown> {
      if (child.connected) child.send({ event: 'stop' })
      return (await ended)[0]
    },
    /** Lets go of it, as a parent that dies does. */
    async disconnect(): Promise<unknown> {
      child.disconnect()
      return (await ended)[0]
    },
    async terminate(): Promise<unknown> {
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}
