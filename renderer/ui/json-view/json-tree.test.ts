import { expect, test } from 'vitest'
import { findInTree } from './find-in-tree.ts'
import { indexJson } from './json-index.ts'
import { jsonPath } from './json-path.ts'
import { createJsonTree, type JsonTree } from './json-tree.ts'

const treeOf = (text: string) => {
  const result = indexJson(text)
  if ('problem' in result) throw new Error(result.problem.message)
  return createJsonTree(result.index)
}

const paths = (tree: JsonTree) =>
  Array.from({ length: tree.rowCount() }, (_, row) => {
    const { doc, node } = tree.rowAt(row)
    return jsonPath(doc, node, 'context')
  })

const BODY = '{"hits":[{"_id":"7"},{"_id":"8"}]}'
const CONTEXT = `{"response":{"code":200,"body":${JSON.stringify(BODY)}},"a b":1}`

test('a string that holds JSON opens like a container', () => {
  expect(paths(treeOf(CONTEXT))).toEqual([
    'context.response',
    'context.response.code',
    'context.response.body',
    'JSON.parse(context.response.body).hits',
    'JSON.parse(context.response.body).hits[0]',
    'JSON.parse(context.response.body).hits[0]._id',
    'JSON.parse(context.response.body).hits[1]',
    'JSON.parse(context.response.body).hits[1]._id',
    'context["a b"]',
  ])
})

test('a string that holds one JSON value a line opens as their list', () => {
  const tree = treeOf(JSON.stringify({ body: '{"index":"movies"}\n{"size":1}\n' }))
  expect(paths(tree).at(-1)).toBe(
    "context.body.trim().split('\\n').map((line) => JSON.parse(line))[1].size",
  )
})

test('such a string can be shown as the text it is, and parsed again', () => {
  const tree = treeOf(CONTEXT)
  const { doc, node } = tree.rowAt(2)
  tree.setLens(doc, node, 'raw')
  expect(paths(tree).slice(2)).toEqual(['context.response.body', 'context["a b"]'])
  expect(tree.canOpen(doc, node)).toBe(false)
  tree.setLens(doc, node, 'parsed')
  expect(tree.canOpen(doc, node)).toBe(true)
})

test('a string that only looks like JSON stays a string', () => {
  const tree = treeOf('["{not json}","[1]"]')
  expect(tree.canOpen(tree.root, 1)).toBe(false)
  expect(tree.canOpen(tree.root, 2)).toBe(true)
})

test('closing hides what lies below, and revealing opens the way to it', () => {
  const tree = treeOf('{"a":{"b":{"c":1}},"d":2}')
  tree.setAllOpen(false)
  expect(paths(tree)).toEqual(['context.a', 'context.d'])
  expect(tree.rowOf(tree.root, 3)).toBe(0)
  tree.reveal(tree.root, 3)
  expect(paths(tree)[tree.rowOf(tree.root, 3)]).toBe('context.a.b.c')
})

test('a long list opens, what its items hold does not', () => {
  const tree = treeOf(JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id }))))
  expect(tree.rowCount()).toBe(400)
})

test('the way to a long list opens however deep it lies', () => {
  const hits = Array.from({ length: 400 }, (_, id) => ({ id }))
  const tree = treeOf(
    JSON.stringify({ search: { took: 1, hits: { total: { value: 400 }, hits } } }),
  )
  expect(paths(tree).slice(0, 6)).toEqual([
    'context.search',
    'context.search.took',
    'context.search.hits',
    'context.search.hits.total',
    'context.search.hits.total.value',
    'context.search.hits.hits',
  ])
  expect(tree.rowCount()).toBe(406)
})

test('search finds keys and values, and looks into parsed strings in place of the string', async () => {
  const tree = treeOf(CONTEXT)
  const { signal } = new AbortController()
  const find = async (query: string) =>
    (await findInTree(tree.root, query, signal)).map(({ doc, node }) => jsonPath(doc, node, ''))
  expect(await find('_ID')).toEqual([
    'JSON.parse(response.body).hits[0]._id',
    'JSON.parse(response.body).hits[1]._id',
  ])
  expect(await find('o')).toEqual(['response', 'response.code', 'response.body'])
  expect(await find('":')).toEqual([])
  tree.setLens(tree.root, 3, 'raw')
  expect(await find('_id')).toEqual(['response.body', 'response.body'])
})
