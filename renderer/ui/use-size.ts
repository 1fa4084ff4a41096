import { type RefObject, useLayoutEffect, useState } from 'react'

/** Inner size of an element in pixels, kept up to date; zeros before the first layout. */
export function useSize(element: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return undefined
    const observer = new ResizeObserver(() =>
      setSize({ width: target.clientWidth, height: target.clientHeight }),
    )
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return size
}
