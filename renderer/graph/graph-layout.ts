import { graphlib, layout } from '@dagrejs/dagre'
import { type GraphEdge, RESPONSE_NODE, ROUTE_NODE } from './graph-edges.ts'

/** Sizes of the nodes in pixels of the drawing. */
const STAGE_SIZE = { width: 204, height: 46 }
const END_SIZE = { width: 204, height: 46 }
const ANSWER_SIZE = { width: 108, height: 34 }

/** Left to right where there is room, else top to bottom. */
export type GraphDirection = 'LR' | 'TB'

/** Where each node's upper left corner lies, and how large the drawing is. */
export interface GraphLayout {
  direction: GraphDirection
  places: Map<string, { x: number; y: number; width: number; height: number }>
  width: number
  height: number
}

/** Places the nodes in layers along the edges. */
export function layoutGraph(
  stageIds: readonly string[],
  edges: readonly GraphEdge[],
  direction: GraphDirection,
): GraphLayout {
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: direction, nodesep: 18, ranksep: direction === 'LR' ? 44 : 30 })
  graph.setDefaultEdgeLabel(() => ({}))
  graph.setNode(ROUTE_NODE, { ...END_SIZE })
  for (const id of stageIds) graph.setNode(id, { ...STAGE_SIZE })
  graph.setNode(RESPONSE_NODE, { ...ANSWER_SIZE })
  // The way of the request is drawn straight; what runs beside it makes room.
  for (const { from, to, kind } of edges)
    graph.setEdge(from, to, { weight: kind === 'sequence' ? 4 : 1 })
  layout(graph)
  const places: GraphLayout['places'] = new Map()
  for (const id of graph.nodes()) {
    const { x, y, width, height } = graph.node(id)
    places.set(id, { x: x - width / 2, y: y - height / 2, width, height })
  }
  const { width = 0, height = 0 } = graph.graph()
  return { direction, places, width, height }
}
