const REGIONS = ['rail', 'side', 'documents', 'panel', 'status']
const FOCUSABLE =
  'textarea, .native-edit-context, [tabindex="0"], button:not([tabindex="-1"]), input'

/** F6 moves the focus to the next region of the window, Shift+F6 to the previous one. */
export function cycleRegions() {
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return
      event.preventDefault()
      event.stopPropagation()
      const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].toSorted(
        (a, b) => placeOf(a) - placeOf(b),
      )
      const at = regions.findIndex((region) => region.contains(document.activeElement))
      const step = event.shiftKey ? -1 : 1
      const next =
        regions[(Math.max(at, event.shiftKey ? 0 : -1) + step + regions.length) % regions.length]
      focusInto(next)
    },
    { capture: true },
  )
}

const placeOf = (region: HTMLElement) => REGIONS.indexOf(region.dataset['region'] ?? '')

function focusInto(region: HTMLElement | undefined) {
  const editor = region?.querySelector<HTMLElement>('.monaco-editor textarea, .native-edit-context')
  const first = editor ?? region?.querySelector<HTMLElement>(FOCUSABLE)
  first?.focus()
}
