import { spawn, type ChildProcess } from 'child_process'
import { join } from 'path'

/** What the shell must know of a running gateway. */
export interface GatewayAddress {
  control: string
  token: string
  pid: number
}

interface Options {
  node: string
  programDir: string
  flags: readonly string[]
  onReady(address: GatewayAddress): void
  /** `willRestart` is false when it failed to start in a way a restart cannot mend. */
  onGone(reason: string, willRestart: boolean): void
}

const FIRST_DELAY_MS = 200
const LONGEST_DELAY_MS = 10_000
const STOP_MS = 12_000
const KEPT_LINES = 1_000
/** The gateway's exit code for what the user has to change: a taken port, a bad folder. */
const USER_ERROR = 2

/**
 * Keeps the gateway running: starts it, restarts it with growing delay when it dies, ends it with
 * the shell. It watches its parent itself, so that it also ends when the shell is killed.
 */
export function superviseGateway(options: Options) {
  let child: ChildProcess | undefined
  let stopping = false
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  const output: string[] = []

  const keep = (text: string) => {
    output.push(...text.split('\n').filter((line) => line !== ''))
    output.splice(0, Math.max(0, output.length - KEPT_LINES))
  }

  function start() {
    const entry = join(options.programDir, 'gateway', 'cli.ts')
    const nodeFlags = [
      '--no-node-snapshot',
      // What requests leave behind is collected less often, and nearly none of it survives.
      '--min-semi-space-size=16',
      '--disable-warning=ExperimentalWarning',
    ]
    const serve = [
      'serve',
      '--trace',
      'all',
      '--print-credentials',
      '--exit-with-parent',
      '--resume',
    ]
    const started = spawn(options.node, [...nodeFlags, entry, ...serve, ...options.flags], {
      cwd: options.programDir,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    let out = ''
    started.stdout.on('data', (part: Buffer) => {
      out += part.toString()
      const end = out.indexOf('\n')
      if (end < 0) return
      const ready = readReady(out.slice(0, end))
      out = out.slice(end + 1)
      if (!ready) return
      failures = 0
      options.onReady(ready)
    })
    started.stderr.on('data', (part: Buffer) => keep(part.toString()))
    started.on('error', (problem) => gone(problem.message, null))
    started.on('exit', (code, signal) => gone(signal ?? `code ${code}`, code))
  }

  function gone(why: string, code: number | null) {
    if (stopping || !child) return
    child = undefined
    const willRestart = code !== USER_ERROR
    const last = output[output.length - 1] ?? ''
    options.onGone(willRestart ? `The gateway ended with ${why}` : last, willRestart)
    if (!willRestart) return
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failures)
    failures++
    timer = setTimeout(start, delay)
  }

  start()
  return {
    /** The last lines of its log, secrets masked by the gateway itself. */
    output: () => output.join('\n'),
    pid: () => child?.pid,
    stop(): Promise<void> {
      stopping = true
      if (timer) clearTimeout(timer)
      const last = child
      if (!last || last.exitCode !== null) return Promise.resolve()
      return new Promise((resolve) => {
        const hard = setTimeout(() => last.kill('SIGKILL'), STOP_MS)
        last.once('exit', () => {
          clearTimeout(hard)
          resolve()
        })
        last.kill('SIGTERM')
      })
    },
  }
}

/** The ready line, read without the contract's schema: it is our own program that wrote it. */
function readReady(line: string): GatewayAddress | undefined {
  try {
    const ready = JSON.parse(line) as Partial<GatewayAddress> & { event?: string }
    return ready.event === 'ready' && ready.control && ready.token && ready.pid
      ? { control: ready.control, token: ready.token, pid: ready.pid }
      : undefined
  } catch {
    return undefined
  }
}
