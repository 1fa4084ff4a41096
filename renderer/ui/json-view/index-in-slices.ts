import { createJsonIndexer, type JsonIndex, type JsonProblem } from './json-index.ts'

const SLICE_CHARS = 400_000 // some 8 ms of work
const BUDGET_MS = 16

/**
 * Indexes a text of any size without holding the page for more than a frame at a time. Rejects
 * with the signal's reason when it is aborted.
 */
export async function indexInSlices(
  text: string,
  options: { signal: AbortSignal; isLines?: boolean; onProgress?: (share: number) => void },
): Promise<{ index: JsonIndex } | { problem: JsonProblem }> {
  const indexer = createJsonIndexer(text, options.isLines)
  let sliceEnd = performance.now() + BUDGET_MS
  while (!indexer.step(SLICE_CHARS)) {
    if (performance.now() < sliceEnd) continue
    options.onProgress?.(indexer.progress())
    await nextTask()
    options.signal.throwIfAborted()
    sliceEnd = performance.now() + BUDGET_MS
  }
  return indexer.result()
}

/** Lets input and paint go first; unlike a timer it does not wait four milliseconds. */
export function nextTask() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', () => {
    port1.close()
    resolve()
  })
  port1.start()
  port2.postMessage(null)
  return promise
}
