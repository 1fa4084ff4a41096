import { CallError, type Client } from '../client/client.ts'
import { receiveTrace, runsStore } from './runs.ts'

/**
 * Fetches the record of a run unless it is known to its end. The store of traces is bounded: a run
 * that left it is shown by what is known already.
 */
export async function loadTrace(client: Client, runId: string) {
  const { runs, spans } = runsStore.getState()
  if (spans[runId] && runs[runId]?.endTime !== undefined) return
  try {
    receiveTrace(await client.call('GET /api/runs/:runId', { params: { runId } }))
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
}
