import { expect, test } from 'vitest'
import { makeContext, runStage } from '../../test/support/stage-run.ts'
import { removeWords } from './remove-words.ts'
import { replaceSearchTerm } from './replace-search-term.ts'
import { replaceWords } from './replace-words.ts'

const bodyOf = (value: unknown) => JSON.stringify({ query: [{ id: 'q', value }] })

async function replaced(value: unknown, data: Record<string, string>) {
  const context = makeContext({ request: { body: bodyOf(value) } })
  return (await runStage(replaceWords, context, { data })).request.body
}

async function removed(value: unknown, data: string[]) {
  const context = makeContext({ request: { body: bodyOf(value) } })
  return (await runStage(removeWords, context, { data })).request.body
}

test('whole words are replaced, in any case, and parts of words are not', async () => {
  expect(await replaced('TV, tvs and été', { tv: 'television', ét: 'x' })).toBe(
    bodyOf('television, tvs and été'),
  )
})

test('a replacement is not replaced again, and the longer of two words wins', async () => {
  expect(await replaced('a b c', { a: 'b', b: 'c', 'b c': 'd' })).toBe(bodyOf('b d'))
})

test('signs in words stand for themselves, and no words change nothing', async () => {
  expect(await replaced('c++ a.b axb', { 'c++': 'cpp', 'a.b': 'ab' })).toBe(bodyOf('cpp ab axb'))
  expect(await replaced('a $& b', { a: '$&' })).toBe(bodyOf('$& $& b'))
  expect(await replaced('a b', { ' ': 'x' })).toBe(bodyOf('a b'))
})

test('removed words leave no gap, and texts without them stay as they are', async () => {
  expect(await removed('the  big The pan', ['the'])).toBe(bodyOf('big pan'))
  expect(await removed('a  b', ['the'])).toBe(bodyOf('a  b'))
  expect(await removed(['the pan', 7], ['the'])).toBe(bodyOf(['pan', 7]))
})

test('only queries that search text change, and everything else keeps its digits', async () => {
  const rest =
    '{"id":"t","type":"term","value":"old"},{"id":"n"}],"settings":{"x":9007199254740993}}'
  const body = `{"query":[{"id":"s","value":"old","size":1.0},${rest}`
  const { request } = await runStage(replaceSearchTerm, makeContext({ request: { body } }), {
    data: 'new',
  })
  expect(request.body).toBe(`{"query":[{"id":"s","value":"new","size":1.0},${rest}`)
})

test('a body that is translated already is refused with the way out', async () => {
  const context = makeContext({ request: { body: '{"preference":"a"}\n{"query":{}}\n' } })
  await expect(runStage(removeWords, context, { data: ['a'] })).rejects.toThrow(
    'must stand before declarativeQuery',
  )
})
