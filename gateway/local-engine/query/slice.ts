import { setImmediate } from 'node:timers/promises'

/** A request has run longer than it may; what was found until then is its answer. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/** Lets one request share the thread with others. */
export interface Slice {
  /** Whether the request has had its 20 ms: then `await handOver()` before going on. */
  due(): boolean
  /** @throws {DeadlinePassed} after the deadline, or the reason of an aborted signal. */
  handOver(): Promise<void>
}

const SLICE_MS = 20

/** One slice a request. */
export function createSlice(timeoutMs: number, signal?: AbortSignal): Slice {
  const deadline = performance.now() + timeoutMs
  let began = performance.now()
  return {
    due: () => performance.now() - began >= SLICE_MS,
    async handOver() {
      signal?.throwIfAborted()
      if (performance.now() >= deadline) throw new DeadlinePassed('the request took too long')
      await setImmediate()
      signal?.throwIfAborted()
      began = performance.now()
    },
  }
}
