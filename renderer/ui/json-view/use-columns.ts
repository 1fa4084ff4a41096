import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * How many characters of the element's monospaced font fit into its width; 0 until it is laid out.
 * Follows the element's size and the arrival of the font.
 */
export function useColumns(element: RefObject<HTMLElement | null>) {
  const [columns, setColumns] = useState(0)
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return undefined
    const measure = () => {
      const canvas = document.createElement('canvas').getContext('2d')
      if (!canvas) return
      const { fontSize, fontFamily } = getComputedStyle(target)
      canvas.font = `${fontSize} ${fontFamily}`
      const charWidth = canvas.measureText('0'.repeat(100)).width / 100
      setColumns(Math.floor(target.clientWidth / charWidth))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    void document.fonts.ready.then(measure)
    return () => observer.disconnect()
  }, [element])
  return columns
}
