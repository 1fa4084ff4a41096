import type { GraphEdge } from './graph-edges.ts'
import type { GraphLayout } from './graph-layout.ts'

/** The four ways an arrow key can point. */
export type Arrow = 'ArrowRight' | 'ArrowLeft' | 'ArrowDown' | 'ArrowUp'

/**
 * The node an arrow key leads to: along the flow by an edge, across it to the nearest node of the
 * same layer. Undefined where there is none.
 */
export function moveFocus(
  from: string,
  arrow: Arrow,
  edges: readonly GraphEdge[],
  { places, direction }: GraphLayout,
): string | undefined {
  const isAlong = (arrow === 'ArrowRight' || arrow === 'ArrowLeft') === (direction === 'LR')
  const isForward = arrow === 'ArrowRight' || arrow === 'ArrowDown'
  const across = direction === 'LR' ? ('y' as const) : ('x' as const)
  const along = direction === 'LR' ? ('x' as const) : ('y' as const)
  const centre = (id: string, axis: 'x' | 'y') => {
    const place = places.get(id)
    return place ? place[axis] + (axis === 'x' ? place.width : place.height) / 2 : 0
  }
  const distance = (id: string) => Math.abs(centre(id, across) - centre(from, across))
  const byDistance = (a: string, b: string) => distance(a) - distance(b)

  if (isAlong) {
    const ends = isForward
      ? edges.filter((edge) => edge.from === from).map(({ to }) => to)
      : edges.filter((edge) => edge.to === from).map((edge) => edge.from)
    return ends.toSorted(byDistance)[0]
  }
  const isSameLayer = (id: string) => Math.abs(centre(id, along) - centre(from, along)) < 20
  const isBeyond = (id: string) =>
    isForward
      ? centre(id, across) > centre(from, across)
      : centre(id, across) < centre(from, across)
  return [...places.keys()].filter((id) => isSameLayer(id) && isBeyond(id)).toSorted(byDistance)[0]
}
