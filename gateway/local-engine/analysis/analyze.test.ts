import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { analyzers } from './analyzer.ts'
import { analyzeText } from './analyze.ts'

const golden = join(import.meta.dirname, '../../../test/fixtures/local-engine/golden')

interface GoldenLine {
  readonly analyzer?: string
  readonly text: string | readonly string[]
  readonly tokens: readonly unknown[]
}

const linesOf = (name: string) =>
  readFileSync(join(golden, name, 'tokens.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    // The oracle writes these lines.
    .map((line) => JSON.parse(line) as GoldenLine)

const known = new Set(analyzers.map(({ name }) => name))

describe.each(['sample', 'movies'])('golden tokens of %s', (name) => {
  const lines = linesOf(name)
  const ours = lines.filter(({ analyzer }) => analyzer !== undefined && known.has(analyzer))

  test('every analyzer gives the tokens Lucene gives', () => {
    const different = ours.filter(
      ({ analyzer, text, tokens }) =>
        JSON.stringify(analyzeText(analyzer ?? '', text)) !== JSON.stringify(tokens),
    )
    expect(different.map(({ text }) => text)).toEqual([])
    expect(ours.length).toBeGreaterThan(19)
  })
})

test('only custom chains of the sample are left out, until custom analyzers exist', () => {
  const left = linesOf('sample').filter(({ analyzer }) => !analyzer || !known.has(analyzer))
  expect(left.map(({ analyzer }) => analyzer ?? 'custom chain')).toEqual([
    'folded',
    'prefixed',
    'with_synonyms',
    ...Array.from({ length: 8 }, () => 'custom chain'),
  ])
})

test('lower-casing goes by code point', () => {
  expect(analyzeText('standard', 'İSTANBUL ΟΔΟΣ').map(({ token }) => token)).toEqual([
    'istanbul',
    'οδοσ',
  ])
})

test('the positions of removed words stay free, also between values', () => {
  expect(analyzeText('english', ['the end of', 'the dogs']).map((token) => token.position)).toEqual(
    [1, 104],
  )
})

test('an unknown analyzer is refused by name', () => {
  expect(() => analyzeText('klingon', 'a')).toThrow('failed to find global analyzer [klingon]')
})

test('the gap between values is what it is told to be', () => {
  const positions = (gap: number) =>
    analyzeText('standard', ['a b', 'c'], gap).map((token) => token.position)
  expect([positions(0), positions(7)]).toEqual([
    [0, 1, 2],
    [0, 1, 9],
  ])
})
