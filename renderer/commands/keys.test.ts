import { expect, test } from 'vitest'
import { commands } from './index.ts'
import { matchesKeys, toKeyLabel } from './keys.ts'

const press = (key: string, held: Partial<KeyboardEvent> = {}) =>
  // Only what a binding looks at; Node has no KeyboardEvent.
  ({
    key,
    code: '',
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...held,
  }) as KeyboardEvent

test('Mod is Ctrl on other platforms and Cmd on macOS', () => {
  const ctrl = press('k', { ctrlKey: true })
  const cmd = press('k', { metaKey: true })
  expect([ctrl, cmd].map((event) => matchesKeys(event, 'Mod+K', false))).toEqual([true, false])
  expect([ctrl, cmd].map((event) => matchesKeys(event, 'Mod+K', true))).toEqual([false, true])
})

test('a chord with one modifier more is another chord', () => {
  const event = press('P', { ctrlKey: true, shiftKey: true })
  expect(matchesKeys(event, 'Mod+P', false)).toBe(false)
  expect(matchesKeys(event, 'Mod+Shift+P', false)).toBe(true)
})

test('a sign is recognised with and without Shift', () => {
  expect(matchesKeys(press('?', { shiftKey: true }), '?', false)).toBe(true)
  expect(matchesKeys(press('?'), '?', false)).toBe(true)
})

test('labels follow the platform', () => {
  expect([toKeyLabel('Mod+Shift+P', false), toKeyLabel('Mod+Shift+P', true)]).toEqual([
    'Ctrl+Shift+P',
    '⌘⇧P',
  ])
})

test('no two commands share an id or a binding', () => {
  const ids = commands.map(({ id }) => id)
  const keys = commands.flatMap(({ keys = [], hostKeys = [] }) => [...keys, ...hostKeys])
  expect([new Set(ids).size, new Set(keys).size]).toEqual([ids.length, keys.length])
})
