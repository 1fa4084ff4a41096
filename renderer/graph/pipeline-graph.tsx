import { ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { useMemo, useRef, useState } from 'react'
import type { PipelineModel } from '../../gateway/contract/pipeline.ts'
import type { StageStatus } from '../../gateway/contract/trace.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useSize } from '../ui/use-size.ts'
import { GraphCanvas } from './graph-canvas.tsx'
import { graphEdges, topologicalOrder } from './graph-edges.ts'
import styles from './graph.module.css'
import { GraphTable } from './graph-table.tsx'

/**
 * A pipeline as a drawing or as a table, read only. While its text has problems the caller passes
 * the last valid model and their number; without any model there is nothing to draw yet.
 */
export function PipelineGraph({
  model,
  statuses,
  selectedStageId,
  onSelectStage,
  problemCount = 0,
}: {
  model?: PipelineModel | undefined
  /** State of each stage in the run that is shown; absent before the first run. */
  statuses?: Readonly<Record<string, StageStatus>> | undefined
  selectedStageId?: string | undefined
  onSelectStage: (stageId: string) => void
  problemCount?: number
}) {
  const [isTable, setTable] = useState(false)
  const stages = model?.stages
  const edges = useMemo(() => (stages ? graphEdges({ stages }) : []), [stages])
  const ordered = useMemo(() => (stages ? topologicalOrder(stages, edges) : []), [stages, edges])
  const frame = useRef<HTMLDivElement>(null)
  const size = useSize(frame)
  const shared = { stages: ordered, edges, statuses, selectedStageId, onSelectStage }
  return (
    <ReactFlowProvider>
      <section className={styles.graph} aria-label="Pipeline graph">
        <div className={styles.bar}>
          <div className={styles.modes} role="group" aria-label="Show as">
            <button type="button" aria-pressed={!isTable} onClick={() => setTable(false)}>
              Graph
            </button>
            <button type="button" aria-pressed={isTable} onClick={() => setTable(true)}>
              Table
            </button>
          </div>
          <span className={styles.spacer} />
          {!isTable && model && size.width > 420 && <Legend />}
          {!isTable && model && <ZoomButtons />}
        </div>
        {problemCount > 0 && (
          <p className={styles.problems} role="status" data-testid="graph-problems">
            <Icon name="warning" />
            {`Text has ${problemCount === 1 ? '1 problem' : `${problemCount} problems`}${model ? ', showing the last valid state' : ''}`}
          </p>
        )}
        <div ref={frame} className={styles.frame}>
          {!model ? (
            <EmptyState
              icon="type-hierarchy-sub"
              text="The stages of this pipeline appear here as soon as its text is valid."
            />
          ) : isTable ? (
            <GraphTable {...shared} />
          ) : (
            size.width > 0 && <GraphCanvas {...shared} model={model} size={size} />
          )}
        </div>
      </section>
    </ReactFlowProvider>
  )
}

const Legend = () => (
  <span className={styles.legend}>
    <i aria-hidden="true" /> needs
    <i aria-hidden="true" /> order of the list
  </span>
)

const MOVE_MS = 200
const move = () => ({
  duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVE_MS,
})

function ZoomButtons() {
  const { zoomIn, zoomOut, fitView } = useReactFlow()
  return (
    <>
      <IconButton icon="zoom-out" label="Zoom out" onClick={() => void zoomOut(move())} />
      <IconButton icon="zoom-in" label="Zoom in" onClick={() => void zoomIn(move())} />
      <IconButton
        icon="screen-full"
        label="Fit the whole graph"
        onClick={() => void fitView({ ...move(), padding: 0.06, maxZoom: 1 })}
      />
    </>
  )
}
