import { expect, test } from 'vitest'
import { applyChanges, changesBetween } from './context-changes.ts'

const before = {
  request: { method: 'POST', url: '/a', headers: { host: 'x' }, body: '{"size":1}' },
  response: { code: 200, headers: {}, body: '' },
  envs: { index: ['movies'], gone: 1 },
  kept: { large: true },
  taken: 'away',
}

test('only what differs is kept, and it leads back to the context', () => {
  const { taken: _taken, ...rest } = before
  const after = {
    ...rest,
    // As scripts give it back: new maps, mostly with what they held.
    request: { ...before.request, headers: { host: 'x' }, body: '{"size":2}' },
    envs: { index: before.envs.index },
    made: [1],
  }
  const changed = changesBetween(before, after)
  expect(changed).toEqual({
    changes: { request: { body: '{"size":2}' }, made: [1] },
    removed: ['taken', 'envs.gone'],
  })
  expect(applyChanges(before, changed)).toEqual(after)
})

test('a context that is the same has no changes', () => {
  const same = { ...before, response: { ...before.response } }
  expect(changesBetween(before, same)).toEqual({ changes: {}, removed: [] })
})
