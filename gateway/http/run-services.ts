import { askEngine } from '../engine/client.ts'
import type { createOutbound } from '../engine/outbound.ts'
import type { Switchboard } from '../engine/switchboard.ts'
import type { RunServices } from '../runtime/run-request.ts'
import type { StopSignal } from '../stop-signal.ts'

interface Parts {
  switchboard: Switchboard
  outbound: ReturnType<typeof createOutbound>
  /** Pending while sample data is being loaded; undefined when there is nothing to wait for. */
  dataReady(): Promise<void> | undefined
}

/** More than half the heap of a script; the gateway holds answers until the script takes them. */
const MOST_FOR_SCRIPTS = 32 * 1024 * 1024

/** The ways out of a run: the connected engine and, behind the outbound rules, the world. */
export const createRunServices = ({ switchboard, outbound, dataReady }: Parts): RunServices => ({
  sendToEngine(request, signal, note) {
    const loading = dataReady()
    const ask = () =>
      askEngine(
        switchboard.current(),
        { method: request.method, path: request.url, headers: request.headers, body: request.body },
        signal,
      ).then(({ status: code, headers, body }) => ({ code, headers, body }))
    return loading ? afterLoading(loading, signal, note).then(ask) : ask()
  },
  async fetch(request, signal) {
    const reply = await outbound.call(request, signal)
    return { code: reply.status, headers: reply.headers, body: reply.body }
  },
  scriptFetch: (request, signal) =>
    outbound.call({ ...request, maxReplyBytes: MOST_FOR_SCRIPTS }, signal),
})

/** Waits for the sample data, and says so. */
async function afterLoading(
  loading: Promise<void>,
  signal: StopSignal,
  note: (text: string) => void,
) {
  const start = performance.now()
  note('Waiting for the sample data to be loaded')
  await abortable(loading, signal)
  note(`The sample data is there after ${Math.round(performance.now() - start)} ms`)
}

/** Waits for `work`, but no longer than the signal allows. */
function abortable(work: Promise<void>, signal: StopSignal) {
  if (signal.aborted) throw signal.reason
  return new Promise<void>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
