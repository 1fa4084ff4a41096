import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BOUNDS_MS, count, createCounter, percentile } from './counter.ts'

const counted = (times: readonly number[]) => {
  const counter = createCounter()
  for (const ms of times) count(counter, ms, false)
  return counter
}

test('calls are counted in the part of the histogram they belong to', () => {
  const { parts, ...sums } = counted([0.5, 1, 1.5, 99, 30_001])
  expect(sums).toEqual({ calls: 5, errors: 0, sumMs: 30_103, maxMs: 30_001 })
  expect(parts.flatMap((calls, place) => (calls > 0 ? [[BOUNDS_MS[place], calls]] : []))).toEqual([
    [1, 2],
    [2, 1],
    [100, 1],
    [undefined, 1],
  ])
})

test('shares are estimated within the part they fall into, and never beyond the longest call', () => {
  expect(percentile(createCounter(), 0.95)).toBe(0)
  expect(percentile(counted([7]), 0.5)).toBeLessThanOrEqual(7)
  const even = counted(Array.from({ length: 100 }, (_, at) => at + 1))
  expect(percentile(even, 0.5)).toBeCloseTo(50, 0)
  expect(percentile(even, 0.95)).toBeCloseTo(95, 0)
  expect(percentile(even, 1)).toBe(100)
})

test('a share lies in the same part of the histogram as the true value', () => {
  const part = (ms: number) => BOUNDS_MS.filter((bound) => bound < ms).length
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.001, max: 60_000, noNaN: true }), { minLength: 1 }),
      fc.constantFrom(0.5, 0.95, 0.99),
      (times, share) => {
        const truth = times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? 0
        expect(part(percentile(counted(times), share))).toBe(part(truth))
      },
    ),
  )
})
