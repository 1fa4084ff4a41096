import { expect, test } from 'vitest'
import type { ExpressionPart } from '../../contract/explain.ts'
import { explain } from './explain.ts'
import { parseExpression } from './parse.ts'

const scope: Record<string, unknown> = {
  $query: 'Harry',
  envs: { n: 3, list: [1, 2, 3], key: 'top-secret-value', long: 'x'.repeat(5_000) },
}
const tell = (text: string, mask?: (text: string) => string) =>
  explain(parseExpression(text), (name) => scope[name], mask)

/** Every part on a line of its own: text, value, what went wrong. */
const lines = (part: ExpressionPart, depth = 0): string[] => [
  [
    '  '.repeat(depth) + part.text,
    part.value ?? 'not needed',
    ...(part.element === undefined ? [] : [`element ${part.element}`]),
    ...(part.error === undefined ? [] : [part.error]),
  ].join(' | '),
  ...part.parts.flatMap((one) => lines(one, depth + 1)),
]

test('every part is told with its value, and those that were not needed without', () => {
  expect(lines(tell('envs.n > 2 or $query contains "x"'))).toEqual([
    'envs.n > 2 or $query contains "x" | true',
    '  envs.n > 2 | true',
    '    envs.n | 3',
    '      envs | {"n":3,"list":[1,2,3],"key":"top-secret-value","long":a text of 5000 characters}',
    '  $query contains "x" | not needed',
    '    $query | not needed',
  ])
})

test('the places of parts are those of the text', () => {
  const text = '  not (envs.n == 3)'
  const { parts, start, end } = tell(text)
  expect([start, end, parts.map((part) => text.slice(part.start, part.end))]).toEqual([
    2, text.length, ['envs.n == 3'],
  ]) // prettier-ignore
})

test('a closure is told for every element it was asked about', () => {
  expect(
    lines(tell('any(envs.list, {# == 2})')).filter((line) => line.includes('element')),
  ).toEqual(['  # == 2 | false | element 0', '  # == 2 | true | element 1'])
})

test('of very many elements the first ones are told and the last one, which decides', () => {
  const list = Array.from({ length: 1_000 }, (_, at) => at)
  const { parts } = explain(parseExpression('all(envs, {# < 900})'), () => list)
  const told = parts.filter(({ element }) => element !== undefined)
  expect(told.map(({ element, value }) => `${element} ${value}`)).toEqual([
    ...Array.from({ length: 9 }, (_, at) => `${at} true`),
    '900 false',
  ])
})

test('what fails is told at the part that failed', () => {
  expect(lines(tell('envs.n == 3 and envs.a.b == 1'))).toEqual([
    'envs.n == 3 and envs.a.b == 1 | not needed',
    '  envs.n == 3 | true',
    '    envs.n | 3',
    expect.stringMatching(/^ {6}envs \|/),
    '  envs.a.b == 1 | not needed',
    '    envs.a.b | not needed | "b" cannot be read, because what stands before it is nil',
    '      envs.a | nil',
    expect.stringMatching(/^ {8}envs \|/),
  ])
})

test('secrets are masked before anything is cut, wherever they stand', () => {
  const mask = (text: string) => text.replaceAll('top-secret-value', '••••')
  const text = JSON.stringify([
    tell('envs.key == "x"', mask),
    tell(`[envs.key, "${'y'.repeat(190)}"] == {a: envs.key}`, mask),
  ])
  expect(text).not.toContain('top-')
  expect(text).toContain('••••')
})

test('long texts are told by their length when nobody masks them, and cut when somebody does', () => {
  expect(tell('envs.long == "x"').parts[0]?.value).toBe('a text of 5000 characters')
  expect(tell('envs.long == "x"', (text) => text).parts[0]?.value).toMatch(/^"x{200}…"$/)
})

test('the explanation of a long chain stays small', () => {
  const chain = Array.from({ length: 300 }, (_, at) => `envs.n == ${at}`).join(' or ')
  // Each part but the reads holds the text of everything before it.
  expect(JSON.stringify(tell(`false and (${chain})`)).length).toBeLessThan(1_000_000)
})
