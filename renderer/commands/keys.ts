const NAMES: Record<string, string> = { Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓' }
const MAC_SIGNS: Record<string, string> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Ctrl: '⌃', Enter: '↩' }

/** A binding such as `Mod+Shift+P` as the platform writes it: `Ctrl+Shift+P`, `⇧⌘P`. */
export function toKeyLabel(keys: string, isMac: boolean) {
  const parts = keys.split('+')
  if (isMac) return parts.map((part) => MAC_SIGNS[part] ?? NAMES[part] ?? part).join('')
  return parts.map((part) => (part === 'Mod' ? 'Ctrl' : (NAMES[part] ?? part))).join('+')
}

/** True when the event is that very chord, no modifier more or less. */
export function matchesKeys(event: KeyboardEvent, keys: string, isMac: boolean) {
  const parts = keys.split('+')
  const key = parts[parts.length - 1] ?? ''
  const has = (name: string) => parts.slice(0, -1).includes(name)
  const isSign = key.length === 1 && !/[a-z0-9]/i.test(key)
  return (
    isKey(event, key) &&
    event.ctrlKey === (has('Ctrl') || (!isMac && has('Mod'))) &&
    event.metaKey === (isMac && has('Mod')) &&
    event.altKey === has('Alt') &&
    // A sign such as "?" needs Shift on some keyboards and not on others.
    (isSign || event.shiftKey === has('Shift'))
  )
}

// With Alt held, macOS gives another character for a letter; the key's place still tells it.
const isKey = (event: KeyboardEvent, key: string) =>
  event.key.toLowerCase() === key.toLowerCase() || event.code === `Key${key.toUpperCase()}`
