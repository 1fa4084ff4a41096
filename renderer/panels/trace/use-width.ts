import { type RefObject, useLayoutEffect, useState } from 'react'

/** Width of an element in pixels, kept up to date; 0 before the first layout. */
export function useWidth(element: RefObject<HTMLElement | null>) {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return undefined
    const observer = new ResizeObserver(() => setWidth(target.clientWidth))
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return width
}
