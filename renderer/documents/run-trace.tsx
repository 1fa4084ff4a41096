import { lazy, Suspense, useCallback, useMemo } from 'react'
import type { ErrorSource } from '../../gateway/contract/error-body.ts'
import type { Client } from '../client/client.ts'
import { runCommand } from '../stores/command-list.ts'
import { goToSource } from '../stores/go-to-problem.ts'
import { selectRun, selectStage, spansOf, useRuns } from '../stores/runs.ts'
import { markDone } from '../stores/settings.ts'

const TraceView = lazy(async () => ({
  default: (await import('../panels/trace/trace-view.tsx')).TraceView,
}))

/** The trace of one run, tied to the selected stage of text, graph and outline. */
export function RunTrace({ client, runId }: { client: Client; runId: string }) {
  const run = useRuns(({ runs }) => runs[runId])
  const spans = useRuns(spansOf(runId))
  const selectedStageId = useRuns((state) =>
    state.selectedRunId === runId ? state.selectedStageId : null,
  )
  const trace = useMemo(() => run && { ...run, spans: [...spans] }, [run, spans])
  const loadSnapshot = useCallback(
    (stageId: string) =>
      client.call('GET /api/runs/:runId/stages/:stageId', { params: { runId, stageId } }),
    [client, runId],
  )
  if (!trace) return null
  const choose = (stageId: string) => {
    selectRun(runId)
    selectStage(stageId)
    markDone('stage')
  }
  const exportHar = () => {
    selectRun(runId)
    runCommand('run.exportHar')
  }
  const openSource = (source: ErrorSource) => void goToSource(client, source)
  return (
    <Suspense fallback={null}>
      <TraceView
        trace={trace}
        selectedStageId={selectedStageId ?? undefined}
        onSelectStage={choose}
        loadSnapshot={loadSnapshot}
        onOpenSource={openSource}
        onExportHar={exportHar}
      />
    </Suspense>
  )
}
