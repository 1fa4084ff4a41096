import { Worker } from 'node:worker_threads'
import { errors } from '../errors.ts'

/** What the other side of a thread can be asked for: one message in, one out. */
export type BackgroundCalls = Record<string, (input: never) => unknown>

/** A call on its way to the thread. */
export interface BackgroundCall {
  callId: number
  name: string
  input: unknown
}

/** What comes back of it. */
export type BackgroundReply =
  { callId: number; result: unknown } | { callId: number; problem: string }

interface Pending {
  resolve(result: unknown): void
  reject(problem: Error): void
}

/**
 * Runs a file of functions in a thread of its own, from the first call on. A thread that dies is
 * replaced at the next call; what it was asked for rejects.
 */
export function createBackground<Calls extends BackgroundCalls>(file: URL, data: unknown) {
  let thread: ReturnType<typeof startThread> | undefined
  function start() {
    const started = startThread(file, data, () => {
      // An end is told twice, as error and as exit; by then another may have taken its place.
      if (thread === started) thread = undefined
    })
    return started
  }
  return {
    /** @throws {GatewayError} STATE_UNAVAILABLE with what went wrong in the thread. */
    call<Name extends keyof Calls & string>(
      name: Name,
      input: Parameters<Calls[Name]>[0],
    ): Promise<Awaited<ReturnType<Calls[Name]>>> {
      // Safe: the thread answers a call with what its function of that name gave.
      thread ??= start()
      return thread.call(name, input) as Promise<Awaited<ReturnType<Calls[Name]>>>
    },
    hasStarted: () => thread !== undefined,
    /** Ends the thread; calls that were not answered reject. */
    async close() {
      await thread?.end()
    },
  }
}

function startThread(file: URL, data: unknown, onEnd: () => void) {
  const pending = new Map<number, Pending>()
  const worker = new Worker(file, { workerData: data })
  let lastCallId = 0

  const fail = (why: string) => {
    onEnd()
    const name = file.pathname.split('/').at(-1) ?? ''
    for (const { reject } of pending.values())
      reject(errors.stateUnavailable(`The thread of ${name} ended: ${why}`))
    pending.clear()
  }
  worker.on('error', (problem) =>
    fail(problem instanceof Error ? problem.message : String(problem)),
  )
  worker.on('exit', (code) => fail(`exit code ${code}`))
  worker.on('message', (reply: BackgroundReply) => {
    const waiting = pending.get(reply.callId)
    pending.delete(reply.callId)
    // While nobody waits for an answer the program may end.
    if (pending.size === 0) worker.unref()
    if ('problem' in reply) waiting?.reject(errors.stateUnavailable(reply.problem))
    else waiting?.resolve(reply.result)
  })

  return {
    call(name: string, input: unknown) {
      const call: BackgroundCall = { callId: ++lastCallId, name, input }
      return new Promise((resolve, reject) => {
        pending.set(call.callId, { resolve, reject })
        worker.ref()
        worker.postMessage(call, [])
      })
    },
    end: () => worker.terminate(),
  }
}
