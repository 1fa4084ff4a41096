import { useEffect } from 'react'
import type { Client } from '../client/client.ts'
import { loadTrace } from '../stores/load-run.ts'
import { selectRun, useRuns } from '../stores/runs.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { RunTrace } from './run-trace.tsx'

/** The record of one run. */
export function RunDocument({ client, runId }: { client: Client; runId: string }) {
  const isKnown = useRuns(({ runs }) => runs[runId] !== undefined)
  useEffect(() => {
    selectRun(runId)
    void loadTrace(client, runId)
  }, [client, runId])
  return isKnown ? (
    <RunTrace client={client} runId={runId} />
  ) : (
    <EmptyState
      icon="history"
      text="This run is not kept any more: the gateway holds only the newest ones."
    />
  )
}
