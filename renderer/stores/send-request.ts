import { CallError, type Client } from '../client/client.ts'
import { headersToSend, type RequestBlock } from './request-document.ts'
import { receiveTrace, selectRun } from './runs.ts'
import { patchSend, putSend, sendsStore } from './sends.ts'
import { markDone } from './settings.ts'
import { announce } from './surface.ts'

const flights = new Map<string, AbortController>()

/** Sends one request of a document through the gateway; an earlier one of it is cancelled. */
export async function sendBlock(client: Client, path: string, block: RequestBlock) {
  cancelSend(path)
  const flight = new AbortController()
  flights.set(path, flight)
  const runId = crypto.randomUUID()
  const request = {
    runId,
    method: block.method,
    path: block.path,
    headers: headersToSend(block),
    body: block.body,
  }
  const { name: blockName, expectStatus } = block
  putSend(path, { blockName, expectStatus, request, state: 'running', startTime: Date.now() })
  selectRun(runId)
  markDone('send')
  try {
    const response = await client.call('POST /api/send', { body: request, signal: flight.signal })
    if (response.traced) await fetchTrace(client, runId)
    patchSend(path, runId, { state: 'answered', response })
    announce(`${blockName}: ${response.status} after ${Math.round(response.totalMs)} ms`)
  } catch (error) {
    if (flight.signal.aborted) return
    const message = error instanceof CallError ? error.message : String(error)
    patchSend(path, runId, { state: 'failed', message })
    announce(`${blockName} failed: ${message}`)
  } finally {
    if (flights.get(path) === flight) flights.delete(path)
  }
}

/** Gives up the request a document has in flight; the gateway cancels its run. */
export function cancelSend(path: string) {
  const flight = flights.get(path)
  const send = sendsStore.getState().sends[path]
  if (!flight || send?.state !== 'running') return
  flights.delete(path)
  flight.abort()
  patchSend(path, send.request.runId, { state: 'cancelled' })
  announce(`${send.blockName} cancelled`)
}

/** Spans arrive as events, too; this makes the record whole before the answer is shown. */
async function fetchTrace(client: Client, runId: string) {
  try {
    receiveTrace(await client.call('GET /api/runs/:runId', { params: { runId } }))
  } catch (error) {
    // Tracing may be sampled or the store may have dropped it: the answer counts all the same.
    if (!(error instanceof CallError)) throw error
  }
}
