import type { KeyboardEvent } from 'react'

const STEP: Record<string, Record<string, number>> = {
  horizontal: { ArrowRight: 1, ArrowLeft: -1 },
  vertical: { ArrowDown: 1, ArrowUp: -1 },
}

/**
 * Key handler for a container whose items (found by `selector`) share one tab stop: arrows, Home
 * and End move the focus. Items set `tabIndex` themselves: 0 for the current one, else -1.
 */
export function useRovingFocus(selector: string, direction: 'horizontal' | 'vertical') {
  return (event: KeyboardEvent<HTMLElement>) => {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
    const at = items.findIndex((item) => item === document.activeElement)
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return
    const step = STEP[direction]?.[event.key]
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? items.length - 1
          : step === undefined
            ? -1
            : (at + step + items.length) % items.length
    if (next < 0) return
    event.preventDefault()
    items[next]?.focus()
  }
}
