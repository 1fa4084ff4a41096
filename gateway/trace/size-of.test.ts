import { expect, test } from 'vitest'
import { addedBytes } from './size-of.ts'

const body = 'x'.repeat(1_000)

test('what both share is counted once', () => {
  const before = { request: { body }, envs: { a: 1 } }
  expect(addedBytes(before, undefined)).toBeGreaterThan(2_000)
  expect(addedBytes({ ...before, note: 'ab' }, before)).toBeLessThan(150)
  expect(addedBytes(before, before)).toBe(0)
})

test.each([
  ['texts in a list', Array.from({ length: 50_000 }, (_, at) => `${at} ${body}`), 100e6],
  ['lists in a list', Array.from({ length: 300 }, () => Array(300).fill(body)), 180e6],
  ['rows', Array.from({ length: 20_000 }, (_, id) => ({ id, text: body })), 40e6],
  ['numbers', Array.from({ length: 1_000_000 }, (_, at) => at), 16e6],
  [
    'keys of a map',
    Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, body])),
    40e6,
  ],
])(
  'many %s are counted in about their size, without looking at all of them',
  (_name, value, bytes) => {
    const counted = addedBytes(value, undefined)
    expect(counted / bytes).toBeGreaterThan(0.8)
    expect(counted / bytes).toBeLessThan(1.5)
  },
)

test('a list that grew by a little counts what is new in it', () => {
  const before = Array.from({ length: 30 }, () => ({ body }))
  expect(addedBytes([...before, { body }], before)).toBeLessThan(3_000)
})
