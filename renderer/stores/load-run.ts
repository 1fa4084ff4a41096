import { CallError, type Client } from '../client/client.ts'
import { receiveSnapshot, receiveTrace, runsStore } from './runs.ts'

/** Fetches the record of a run unless it is known to its end. */
export async function loadTrace(client: Client, runId: string) {
  const { runs, spans } = runsStore.getState()
  if (spans[runId] && runs[runId]?.endTime !== undefined) return
  await orGone(async () =>
    receiveTrace(await client.call('GET /api/runs/:runId', { params: { runId } })),
  )
}

/** Fetches the context before and after a stage. While the stage runs there is no output yet. */
export async function loadSnapshot(client: Client, runId: string, stageId: string) {
  const known = runsStore.getState().snapshots[`${runId}/${stageId}`]
  if (known?.output) return
  await orGone(async () =>
    receiveSnapshot(
      await client.call('GET /api/runs/:runId/stages/:stageId', { params: { runId, stageId } }),
    ),
  )
}

/** The store of traces is bounded: a run that left it is shown by what is known already. */
async function orGone(load: () => Promise<void>) {
  try {
    await load()
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
}
