import type { Client } from '../client/client.ts'
import { goToSource } from '../stores/go-to-problem.ts'
import { usePipelines } from '../stores/pipelines.ts'
import { selectStage, spansOf, useRuns } from '../stores/runs.ts'
import { frontPaths, useTabs } from '../stores/tabs.ts'
import { stageKind } from '../ui/status/stage-kind.ts'
import { StatusMark } from '../ui/status/status-mark.tsx'
import { Tree } from '../ui/tree.tsx'
import styles from './side-view.module.css'

/** Stages of the pipeline in front, of either side, with what became of them in the selected run. */
export function StageOutline({ client }: { client: Client }) {
  const fronts = useTabs((state) => frontPaths(state).join('\n'))
  const models = usePipelines((state) => state.models)
  const path = fronts.split('\n').find((one) => models[one] !== undefined)
  const shown = models[path ?? '']
  const selectedId = useRuns((state) => state.selectedStageId)
  const spans = useRuns((state) => spansOf(state.selectedRunId)(state))
  const runFile = useRuns(({ runs, selectedRunId }) => runs[selectedRunId ?? '']?.file)
  if (!shown) return null
  const nodes = shown.stages.map(({ id, use, async }) => {
    const span = runFile === path ? spans.find(({ stageId }) => stageId === id) : undefined
    return {
      nodeId: id,
      label: id,
      icon: stageKind(use).icon,
      tooltip: `${stageKind(use).name}${async ? ', async' : ''}`,
      end: span ? <StatusMark status={span.status} /> : async ? 'async' : undefined,
    }
  })
  const go = (id: string) => {
    const source = shown.stages.find((stage) => stage.id === id)?.source
    selectStage(id)
    if (source) void goToSource(client, source)
  }
  return (
    <div className={styles.section}>
      <h2 className={styles.title}>Stages of {shown.pipelineId}</h2>
      <div className={styles.scroll}>
        <Tree
          label="Stages"
          nodes={nodes}
          selectedId={selectedId ?? undefined}
          onSelect={selectStage}
          onActivate={go}
        />
      </div>
    </div>
  )
}
