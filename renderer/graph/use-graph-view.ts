import { useReactFlow } from '@xyflow/react'
import { useCallback, useEffect, useRef } from 'react'
import type { GraphLayout } from './graph-layout.ts'

/** Pixels kept free around the drawing. */
export const GRAPH_MARGIN = 16
/** Below this zoom names are hard to read: the drawing takes its other direction if that helps. */
export const READABLE_ZOOM = 0.62
const SMALLEST_ZOOM = 0.4
const MOVE_MS = 200

const moveMs = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVE_MS)

/**
 * Brings the drawing into its room: whole, or from its beginning where
 * it would get too small. Once the user has moved it, it stays until its shape changes.
 * `show` moves as little as needed to bring a node into view.
 */
export function useGraphView(layout: GraphLayout, size: { width: number; height: number }) {
  const { setViewport, getViewport } = useReactFlow()

  const movedLayout = useRef<GraphLayout>(undefined)

  useEffect(() => {
    if (movedLayout.current === layout) return
    const whole = Math.min(
      (size.width - GRAPH_MARGIN * 2) / layout.width,
      (size.height - GRAPH_MARGIN * 2) / layout.height,
    )
    const zoom = Math.min(1, Math.max(SMALLEST_ZOOM, whole))
    const offset = (room: number, length: number) =>
      Math.max(GRAPH_MARGIN, (room - length * zoom) / 2)
    void setViewport({
      x: offset(size.width, layout.width),
      y: offset(size.height, layout.height),
      zoom,
    })
  }, [layout, size, setViewport])

  const show = useCallback(
    (id: string) => {
      const place = layout.places.get(id)
      if (!place) return
      const { x, y, zoom } = getViewport()
      const shift = (at: number, start: number, length: number, room: number) => {
        const from = at + start * zoom
        const to = from + length * zoom
        if (from < GRAPH_MARGIN) return at + GRAPH_MARGIN - from
        return to > room - GRAPH_MARGIN ? at - (to - room + GRAPH_MARGIN) : at
      }
      const next = {
        x: shift(x, place.x, place.width, size.width),
        y: shift(y, place.y, place.height, size.height),
        zoom,
      }
      if (next.x !== x || next.y !== y) void setViewport(next, { duration: moveMs() })
    },
    [layout, size, getViewport, setViewport],
  )
  const noteMove = useCallback(() => {
    movedLayout.current = layout
  }, [layout])
  return { show, noteMove }
}
