import { expect, test } from 'vitest'
import { createJsonIndexer, indexJson, type JsonIndex, kindOf } from './json-index.ts'

const indexed = (text: string) => {
  const result = indexJson(text)
  if ('problem' in result) throw new Error(result.problem.message)
  return result.index
}

/** Every node as `depth key value`, straight from the text. */
const outline = (index: JsonIndex) =>
  Array.from({ length: index.count }, (_, node) => {
    const key = index.text.slice(index.keyStart[node], index.keyEnd[node])
    const isScalar = !['object', 'array'].includes(kindOf(index, node))
    const value = index.text.slice(index.start[node], index.end[node])
    return `${index.depth[node]} ${key} ${isScalar ? value : kindOf(index, node)}`
  })

test('numbers keep every digit and their spelling', () => {
  const index = indexed('[103195600828599841, 1.10, -0, 1E+3, 0.1e-7]')
  expect(outline(index).slice(1)).toEqual([
    '1  103195600828599841',
    '1  1.10',
    '1  -0',
    '1  1E+3',
    '1  0.1e-7',
  ])
})

test('keys keep their order, their escapes and their repetitions', () => {
  expect(outline(indexed('{"b":1,"a":{"\\u00e9":null},"b":"x\\"y"}'))).toEqual([
    '0  object',
    '1 "b" 1',
    '1 "a" object',
    '2 "\\u00e9" null',
    '1 "b" "x\\"y"',
  ])
})

test('a subtree ends where its next sibling begins', () => {
  const index = indexed('{"a":[1,[2,3]],"b":true}')
  expect([...index.next]).toEqual([7, 6, 3, 6, 5, 6, 7])
  expect([...index.childCount]).toEqual([2, 2, 0, 2, 0, 0, 0])
  expect([...index.ordinal]).toEqual([0, 0, 0, 1, 0, 1, 1])
})

test('a text read in slices of one character gives the same index', () => {
  const text = '{"hits":[{"_id":"7","score":1.5},{"_id":"8"}],"took":3}'
  const indexer = createJsonIndexer(text)
  while (!indexer.step(1)) expect(indexer.progress()).toBeLessThanOrEqual(1)
  const result = indexer.result()
  expect(result).toEqual({ index: indexed(text) })
})

test('one value a line is a list of values', () => {
  const result = indexJson('{"index":"movies"}\n{"size":1}\n', true)
  expect('index' in result && outline(result.index)).toEqual([
    '0  array',
    '1  object',
    '2 "index" "movies"',
    '1  object',
    '2 "size" 1',
  ])
  expect(indexJson('{}\n{', true)).toMatchObject({ problem: { line: 2 } })
  expect(indexJson(' \n', true)).toHaveProperty('problem')
})

test.each([
  ['', 'the text is empty', 1, 1],
  ['{"a":1,}', 'a key in double quotes was expected here', 1, 8],
  ['{\n  "a": 01\n}', 'this is no number that JSON allows', 2, 8],
  ['[1 2]', 'a comma or ] was expected here', 1, 4],
  ['["a\nb"]', 'a control character inside a string must be escaped', 1, 4],
  ['["\\x"]', '\\x is not an escape of JSON', 1, 3],
  ['["\\u12"]', '\\u must be followed by four hex digits', 1, 4],
  ['"open', 'this string is never closed', 1, 1],
  ['{"a" 1}', 'a colon must follow the key', 1, 6],
  ['[1', 'the text ends in the middle of a value', 1, 3],
  ['nul', 'a value was expected here', 1, 1],
  ['[1,]', 'a value was expected here', 1, 4],
  ['{}\n{}', 'the value has ended, but the text goes on', 2, 1],
])('%j is refused at the right place', (text, message, line, column) => {
  expect(indexJson(text)).toMatchObject({ problem: { message, line, column } })
})

test('everything the platform parses is indexed, everything it refuses is refused', () => {
  const parts = ['{', '}', '[', ']', ',', ':', '"a"', '1', '-', 'null', ' ', '"\\u0041"', '1e5']
  let seed = 42
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: random(9) }, () => parts[random(parts.length)]).join('')
    expect(`${text} ${'index' in indexJson(text)}`).toBe(`${text} ${isJson(text)}`)
  }
})

function isJson(text: string) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
