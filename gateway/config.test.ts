import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { parseServeFlags, SERVE_USAGE } from './config.ts'
import { limitNames, LIMITS } from './contract/limits.ts'

afterEach(() => {
  delete process.env.SLUICE_LIMITS
})
const limits = (...values: string[]) =>
  parseServeFlags(values.flatMap((value) => ['--limit', value])).limits

test('limits come from flags and the environment, and a flag counts more', () => {
  process.env.SLUICE_LIMITS = 'runs=7, runMs=500'
  expect(limits('runs=9', 'scriptMemoryMb=128', 'runs=8')).toEqual({
    runs: 8,
    runMs: 500,
    scriptMemoryMb: 128,
  })
  delete process.env.SLUICE_LIMITS
  expect(limits()).toEqual({})
})

test.each([
  ['run=1', /--limit has no limit "run"; there are runs, waiting, /],
  ['runs', /--limit runs takes a whole number from 1 to 100000, not ""/],
  ['runs=0', /--limit runs takes a whole number from 1 to/],
  ['runs=1.5', /not "1.5"/],
  ['runMs=1e9', /not "1e9"/],
  ['runMs=9999999999', /runMs takes a whole number from 1 to 2147483647/],
])('--limit %s is refused', (value, message) => {
  expect(() => limits(value)).toThrow(message)
})

test.each(['--workspace', '--data'])(
  '%s without a folder does not mean the current one',
  (flag) => {
    expect(() => parseServeFlags([flag, ''])).toThrow(`${flag} takes a folder, not an empty text`)
  },
)

test('a mistake in the environment names the variable', () => {
  process.env.SLUICE_LIMITS = 'all=1'
  expect(() => limits()).toThrow('SLUICE_LIMITS has no limit "all"')
})

test('the help and the documentation list every limit with its value', () => {
  const page = readFileSync('docs/limits.md', 'utf8')
  const rows = page.matchAll(/^\| `(\w+)` +\| ([\d,]+) /gm)
  expect(Object.fromEntries([...rows].map(([, name, value]) => [name, value]))).toEqual(
    Object.fromEntries(
      limitNames.map((name) => [name, LIMITS[name].usual.toLocaleString('en-US')]),
    ),
  )
  for (const name of limitNames) expect(SERVE_USAGE).toContain(`${name}=${LIMITS[name].usual}`)
})
