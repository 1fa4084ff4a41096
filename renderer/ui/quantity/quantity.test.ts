import { expect, test } from 'vitest'
import { formatBytes, formatExactBytes } from './format-bytes.ts'
import { formatDuration } from './format-duration.ts'

test.each([
  [0, '0 ms'],
  [0.42, '0.42 ms'],
  [4.26, '4.3 ms'],
  [84.2, '84 ms'],
  [1240, '1.24 s'],
  [12_400, '12.4 s'],
  [125_000, '2 min 5 s'],
])('%d ms read as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([
  [312, '312 B'],
  [12_431, '12.4 kB'],
  [999_700, '1.0 MB'],
  [250_000_000, '250 MB'],
])('%d bytes read as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test('the exact count has its thousands apart', () => {
  expect(formatExactBytes(1_234_567)).toBe('1,234,567 bytes')
})
