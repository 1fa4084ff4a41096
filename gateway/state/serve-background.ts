import { parentPort } from 'node:worker_threads'
import type { BackgroundCall, BackgroundCalls, BackgroundReply } from './background.ts'

/** Answers the calls of `createBackground`, one after another, from inside the thread. */
export function serveBackground(calls: BackgroundCalls) {
  parentPort?.on('message', ({ callId, name, input }: BackgroundCall) => {
    parentPort?.postMessage(answer(calls, { callId, name, input }), [])
  })
}

function answer(calls: BackgroundCalls, { callId, name, input }: BackgroundCall): BackgroundReply {
  try {
    // Safe: createBackground checks the name and its input where the call is written.
    const call = calls[name] as ((input: unknown) => unknown) | undefined
    return { callId, result: call?.(input) }
  } catch (cause) {
    return { callId, problem: cause instanceof Error ? cause.message : String(cause) }
  }
}
