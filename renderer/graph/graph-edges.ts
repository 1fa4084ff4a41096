import type { PipelineModel, StageModel } from '../../gateway/contract/pipeline.ts'

/** Ids of the two ends of a pipeline, which no stage can have: stage ids hold no blank. */
export const ROUTE_NODE = '@ route'
export const RESPONSE_NODE = '@ response'

/** `needs` is written in the text; `sequence` follows from the order of the list. */
export interface GraphEdge {
  from: string
  to: string
  kind: 'needs' | 'sequence'
}

/**
 * How a run flows. Synchronous stages follow each other from the route to the response; an
 * asynchronous one starts at the route unless it needs something, and where nobody needs it, it
 * ends by itself.
 */
export function graphEdges({ stages }: Pick<PipelineModel, 'stages'>): GraphEdge[] {
  const known = new Set(stages.map(({ id }) => id))
  const edges: GraphEdge[] = stages.flatMap(({ id, needs }) =>
    needs
      .filter((need) => known.has(need))
      .map((from) => ({ from, to: id, kind: 'needs' as const })),
  )
  const needed = new Set(edges.map(({ from, to }) => `${from} ${to}`))
  const follow = (from: string, to: string) => {
    if (!needed.has(`${from} ${to}`)) edges.push({ from, to, kind: 'sequence' })
  }
  let last = ROUTE_NODE
  for (const stage of stages) {
    if (stage.async) {
      if (!stage.needs.some((need) => known.has(need))) follow(ROUTE_NODE, stage.id)
      continue
    }
    follow(last, stage.id)
    last = stage.id
  }
  follow(last, RESPONSE_NODE)
  return edges
}

/** Stages in an order in which everything a stage waits for comes before it. */
export function topologicalOrder(stages: readonly StageModel[], edges: readonly GraphEdge[]) {
  const left = new Map(stages.map((stage) => [stage.id, stage]))
  const order: StageModel[] = []
  while (left.size > 0) {
    const isFree = ({ id }: StageModel) =>
      !edges.some(({ from, to }) => to === id && from !== id && left.has(from))
    // A circle is a mistake of the text; its stages then keep the order of the list.
    const next = [...left.values()].find(isFree) ?? [...left.values()][0]
    if (!next) break
    left.delete(next.id)
    order.push(next)
  }
  return order
}
