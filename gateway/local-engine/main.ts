import { startLocalEngine, type LocalEngine } from './start.ts'
import type { LocalEngineOptions } from './config.ts'
import { StartFailure } from './start-failure.ts'

/**
 * The engine as a process of its own. The parent sends the options as its first message and gets
 * `ready` or `failed` back; `{event: 'stop'}`, SIGTERM, or the end of the parent stop it cleanly.
 */
let engine: LocalEngine | undefined
let isStopping = false

async function start(options: LocalEngineOptions) {
  const began = performance.now()
  try {
    engine = await startLocalEngine(options)
    const { url, documents } = engine
    const openMs = Math.round(performance.now() - began)
    send({ event: 'ready', url, pid: process.pid, documents, openMs })
    if (isStopping) await stop()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = error instanceof StartFailure ? error.code : 'INTERNAL'
    if (!(error instanceof StartFailure) && error instanceof Error)
      process.stderr.write(`${JSON.stringify({ event: 'start.failed', stack: error.stack })}\n`)
    send({ event: 'failed', code, message }, () => process.exit(1))
  }
}

function send(message: object, sent: () => void = () => undefined) {
  if (process.connected && process.send) process.send(message, sent)
  else sent()
}

async function stop() {
  if (isStopping && !engine) return
  isStopping = true
  const running = engine
  engine = undefined
  try {
    await running?.close()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${JSON.stringify({ event: 'stop.failed', reason: String(error) })}\n`)
    process.exit(1)
  }
}

process.once('message', (options: LocalEngineOptions) => {
  process.on('message', (message: { event?: string }) => {
    if (message.event === 'stop') void stop()
  })
  void start(options)
})
process.on('disconnect', () => void stop())
process.on('SIGTERM', () => void stop())
// Ctrl-C in a terminal reaches the whole group; the parent decides when this process ends.
process.on('SIGINT', () => undefined)
