import { Background, BackgroundVariant, type Edge, MarkerType, ReactFlow } from '@xyflow/react'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet gives nothing to assign
import '@xyflow/react/dist/base.css'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { PipelineModel, StageModel } from '../../gateway/contract/pipeline.ts'
import type { StageStatus } from '../../gateway/contract/trace.ts'
import { classes } from '../ui/classes.ts'
import { AnswerNode, type AnswerNodeType, RouteNode, type RouteNodeType } from './end-node.tsx'
import { type GraphEdge, RESPONSE_NODE, ROUTE_NODE } from './graph-edges.ts'
import { type GraphLayout, layoutGraph } from './graph-layout.ts'
import styles from './graph.module.css'
import { type Arrow, moveFocus } from './move-focus.ts'
import { StageNode, type StageNodeType } from './stage-node.tsx'
import { GRAPH_MARGIN, READABLE_ZOOM, useGraphView } from './use-graph-view.ts'

const NODE_TYPES = { stage: StageNode, route: RouteNode, answer: AnswerNode }
const ARROWS = new Set<string>(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp'])

/** The drawing itself: nodes in layers, one tab stop, arrow keys along the edges. */
export function GraphCanvas({
  model,
  stages,
  edges,
  statuses,
  selectedStageId,
  onSelectStage,
  size,
}: {
  model: PipelineModel
  /** In topological order. */
  stages: readonly StageModel[]
  edges: readonly GraphEdge[]
  statuses: Readonly<Record<string, StageStatus>> | undefined
  selectedStageId: string | undefined
  onSelectStage: (stageId: string) => void
  /** Room for the drawing, in pixels. */
  size: { width: number; height: number }
}) {
  const frame = useRef<HTMLDivElement>(null)
  const layouts = useLayouts(stages, edges)
  const layout = chooseLayout(layouts, size)
  const { show, noteMove } = useGraphView(layout, size)
  const [focused, setFocused] = useState<string>()
  const known = (id: string | undefined) =>
    id !== undefined && layout.places.has(id) ? id : undefined
  const tabStop = known(focused) ?? known(selectedStageId) ?? stages[0]?.id

  useEffect(() => {
    if (selectedStageId !== undefined) show(selectedStageId)
  }, [selectedStageId, show])

  const nodes = useMemo(
    () =>
      toNodes({
        model,
        stages,
        statuses,
        layout,
        tabStop,
        selectedStageId,
        onSelectStage,
      }),
    [model, stages, statuses, layout, tabStop, selectedStageId, onSelectStage],
  )
  const drawnEdges = useMemo(() => toEdges(edges, selectedStageId), [edges, selectedStageId])

  const onKeyDown = (event: KeyboardEvent) => {
    const from = (event.target as HTMLElement).dataset['node']
    if (from === undefined || !ARROWS.has(event.key) || event.altKey) return
    event.preventDefault()
    // Safe: the set holds the arrow keys only.
    const to = moveFocus(from, event.key as Arrow, edges, layout)
    if (to === undefined || to === ROUTE_NODE || to === RESPONSE_NODE) return
    setFocused(to)
    show(to)
    const button = frame.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(to)}"]`)
    // Scrolling into view would shift the drawing inside its frame.
    button?.focus({ preventScroll: true })
  }

  return (
    <div
      ref={frame}
      className={styles.canvas}
      role="group"
      aria-label={`Graph of ${model.pipelineId}: ${stages.length} stages. Arrow keys follow the edges.`}
      onKeyDown={onKeyDown}
    >
      <ReactFlow
        nodes={nodes}
        edges={drawnEdges}
        nodeTypes={NODE_TYPES}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        panOnScroll
        minZoom={0.2}
        maxZoom={1.5}
        // Our own moves carry no event.
        onMoveStart={(event) => event && noteMove()}
      >
        <Background variant={BackgroundVariant.Dots} gap={20} size={1} />
      </ReactFlow>
    </div>
  )
}

/** Both drawings; made anew only when the shape changes, so that typing elsewhere moves nothing. */
function useLayouts(stages: readonly StageModel[], edges: readonly GraphEdge[]) {
  const shape = JSON.stringify([stages.map(({ id }) => id), edges])
  return useMemo(() => {
    // Safe: this is the text made one line above.
    const [ids, links] = JSON.parse(shape) as [string[], GraphEdge[]]
    return { across: layoutGraph(ids, links, 'LR'), down: layoutGraph(ids, links, 'TB') }
  }, [shape])
}

/** Left to right as long as the names stay readable, else from top to bottom if that is larger. */
function chooseLayout(
  { across, down }: { across: GraphLayout; down: GraphLayout },
  size: { width: number; height: number },
) {
  const zoomOf = ({ width, height }: GraphLayout) =>
    Math.min((size.width - GRAPH_MARGIN * 2) / width, (size.height - GRAPH_MARGIN * 2) / height)
  if (zoomOf(across) >= READABLE_ZOOM) return across
  return zoomOf(down) > zoomOf(across) ? down : across
}

function toNodes({
  model,
  stages,
  statuses,
  layout,
  tabStop,
  selectedStageId,
  onSelectStage,
}: {
  model: PipelineModel
  stages: readonly StageModel[]
  statuses: Readonly<Record<string, StageStatus>> | undefined
  layout: GraphLayout
  tabStop: string | undefined
  selectedStageId: string | undefined
  onSelectStage: (stageId: string) => void
}): (StageNodeType | RouteNodeType | AnswerNodeType)[] {
  const { direction } = layout
  const placeOf = (id: string) => {
    const { x, y, width, height } = layout.places.get(id) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { id, position: { x, y }, width, height }
  }
  return [
    { ...placeOf(ROUTE_NODE), type: 'route', data: { routes: model.routes, direction } },
    ...stages.map((stage) => ({
      ...placeOf(stage.id),
      type: 'stage' as const,
      data: {
        stage,
        status: statuses?.[stage.id],
        isSelected: stage.id === selectedStageId,
        isTabStop: stage.id === tabStop,
        direction,
        onSelect: onSelectStage,
      },
    })),
    { ...placeOf(RESPONSE_NODE), type: 'answer', data: { direction } },
  ]
}

const toEdges = (edges: readonly GraphEdge[], selectedStageId: string | undefined): Edge[] =>
  edges.map(({ from, to, kind }) => ({
    id: `${from} ${to}`,
    source: from,
    target: to,
    className: classes(
      styles[kind],
      (from === selectedStageId || to === selectedStageId) && styles.lit,
    ),
    markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
  }))
