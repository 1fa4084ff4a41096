import { useEffect, type ReactNode } from 'react'
import type { Client } from '../client/client.ts'
import { loadTrace } from '../stores/load-run.ts'
import { selectRun, useRuns } from '../stores/runs.ts'
import { EmptyState } from '../ui/empty-state.tsx'

/** The record of one run; `trace` shows it once it is known. */
export function RunView({
  client,
  runId,
  trace,
}: {
  client: Client
  runId: string
  trace: ReactNode
}) {
  const isKnown = useRuns(({ runs }) => runs[runId] !== undefined)
  useEffect(() => {
    selectRun(runId)
    void loadTrace(client, runId)
  }, [client, runId])
  return isKnown ? (
    trace
  ) : (
    <EmptyState
      icon="history"
      text="This run is not kept any more: the gateway holds only the newest ones."
    />
  )
}
