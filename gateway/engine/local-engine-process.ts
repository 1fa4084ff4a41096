import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { errors } from '../errors.ts'

/** How the local engine is started; its own `main.ts` gets the same fields as first message. */
export interface LocalEngineSettings {
  dataDir: string
  port: number
}

/** Where the engine process stands. `url` is there from the first time it was ready. */
export type LocalEngineState =
  | { status: 'starting' }
  | { status: 'up'; url: string; pid: number; documents: number }
  | { status: 'down'; message: string }

/** Answers of the child, see local-engine/main.ts. */
type ChildMessage =
  | { event: 'ready'; url: string; pid: number; documents: number; openMs: number }
  | { event: 'failed'; code: string; message: string }

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 10_000
const STOP_MS = 8_000

/** The supervised engine process. */
export type LocalEngineProcess = ReturnType<typeof superviseLocalEngine>

/**
 * Starts the local engine in a process of its own and keeps it running: after a crash with growing
 * delay, after five crashes in a minute no more. Failures to start that a restart cannot mend (port
 * taken, folder locked) are reported once.
 */
export function superviseLocalEngine(settings: LocalEngineSettings) {
  let state: LocalEngineState = { status: 'starting' }
  let listener: (state: LocalEngineState) => void = () => undefined
  const onState = (next: LocalEngineState) => {
    state = next
    listener(next)
  }
  let child: ChildProcess | undefined
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let crashes: number[] = []
  let port = settings.port
  const first = Promise.withResolvers<{ url: string }>()
  // Nobody need wait for the first start; whoever does gets the rejection.
  first.promise.catch(() => undefined)

  function start() {
    onState({ status: 'starting' })
    const entry = fileURLToPath(new URL('../local-engine/main.ts', import.meta.url))
    const started = fork(entry, [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    child = started
    started.send({ ...settings, port })
    let fatal: { code: string; message: string } | undefined
    started.on('message', (message) => {
      // Safe: the child is our own program and this is all it sends.
      const answer = message as ChildMessage
      if (answer.event === 'failed') fatal = answer
      else {
        // A restart must come back where clients know it, also when the first port was a free one.
        port = Number(new URL(answer.url).port)
        onState({ status: 'up', url: answer.url, pid: answer.pid, documents: answer.documents })
        first.resolve(answer)
      }
    })
    started.on('error', (problem) => ended(problem.message))
    started.on('exit', (code, signal) =>
      fatal ? gaveUp(fatal) : ended(`it ended with ${signal ?? `code ${code}`}`),
    )
  }

  function gaveUp({ code, message }: { code: string; message: string }) {
    onState({ status: 'down', message })
    const fail = code === 'PORT_IN_USE' ? errors.portInUse : errors.dataDirLocked
    first.reject(fail(message))
  }

  function ended(why: string) {
    child = undefined
    if (stopping) return
    const now = Date.now()
    crashes = [...crashes.filter((at) => now - at < 60_000), now]
    if (crashes.length >= 5) {
      const message = `The local engine crashed five times in a minute (${why}); see the log`
      onState({ status: 'down', message })
      first.reject(errors.engineUnreachable(message))
      return
    }
    onState({ status: 'down', message: `The local engine stopped (${why}) and is being restarted` })
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (crashes.length - 1))
    timer = setTimeout(start, delay)
  }

  start()
  return {
    /** Calls `listen` with the present state at once and with every later one. */
    watch(listen: (state: LocalEngineState) => void) {
      listener = listen
      listen(state)
    },
    /** Resolves when it first answers. @throws {GatewayError} PORT_IN_USE, DATA_DIR_LOCKED, … */
    ready: first.promise,
    /** Lets it finish and make everything durable; kills it when that takes too long. */
    async stop() {
      stopping = true
      clearTimeout(timer)
      const last = child
      if (!last || last.exitCode !== null) return
      const gone = new Promise<void>((resolve) => last.once('exit', () => resolve()))
      if (last.connected) last.send({ event: 'stop' })
      const hard = setTimeout(() => last.kill('SIGKILL'), STOP_MS)
      await gone
      clearTimeout(hard)
    },
  }
}
