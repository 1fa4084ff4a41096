import { describe, expect, test } from 'vitest'
import { makeSearchTarget } from '../../../test/support/search-target.ts'
import { executeSearch } from '../search/phase.ts'
import { queries, REFUSED_QUERIES } from './registry.ts'

const things = makeSearchTarget({
  properties: {
    title: { type: 'text' },
    kind: { type: 'keyword' },
    stock: { type: 'long' },
    ratio: { type: 'float' },
    sold: { type: 'boolean' },
    hidden: { type: 'keyword', index: false, doc_values: false },
    part: { properties: { name: { type: 'keyword' }, size: { type: 'integer' } } },
  },
  documents: [
    ['1', '{"title":"red tea","kind":"a","stock":9007199254740993,"ratio":0.1,"sold":true}'],
    ['2', '{"title":"","kind":"b","stock":7,"part":{"name":"lid"}}'],
    ['3', '{"stock":8,"sold":false,"part":{"size":3}}'],
  ],
})

async function find(query: unknown) {
  const { hits } = await executeSearch([things], { query, sort: ['_doc'], _source: false })
  return (hits.hits as { _id: string }[]).map((hit) => hit['_id']).join('')
}

test.each(REFUSED_QUERIES)('the query %s is refused by name', async (name) => {
  await expect(find({ [name]: {} })).rejects.toMatchObject({
    type: 'unsupported_feature_exception',
    status: 400,
    extra: { feature: `query.${name}` },
  })
})

test.each(queries.map((query) => [query.name, query] as const))(
  'the query %s refuses parameters it does not know',
  async (name, { refused }) => {
    const inField = /^(match|term|range|prefix|wildcard|regexp|fuzzy)(_phrase|_bool|_prefix)*$/
    const put = (parameter: string) => ({
      [name]: inField.test(name) ? { title: { [parameter]: 1 } } : { [parameter]: 1, x: [] },
    })
    if (name !== 'terms')
      await expect(find(put('no_such'))).rejects.toMatchObject({
        type: expect.stringMatching(/^(?:parsing|x_content_parse)_exception$/),
      })
    for (const parameter of refused)
      await expect(find(put(parameter)), parameter).rejects.toMatchObject({
        type: 'unsupported_feature_exception',
      })
  },
)

test('no query is listed twice', () => {
  const names = [...queries.map(({ name }) => name), ...REFUSED_QUERIES]
  expect(new Set(names).size).toBe(names.length)
})

describe('what stands nowhere in a query', () => {
  test.each([
    ['an unknown query', { foo: {} }, 'unknown query [foo]'],
    ['no object', { match: 'x' }, '[match] query malformed, no start_object after query name'],
    ['nothing', {}, 'query malformed, empty clause found'],
    ['two queries', { match_all: {}, match_none: {} }, 'expected [END_OBJECT]'],
    ['two fields', { match: { title: 'a', kind: 'b' } }, 'found [title] and [kind]'],
    ['no text', { match: { title: { boost: 2 } } }, 'No text specified for text query'],
    ['a list of texts', { match: { title: ['a'] } }, 'unknown token [START_ARRAY] after [title]'],
    ['no text for a number', { term: { stock: 'abc' } }, 'For input string: "abc"'],
    ['no truth value', { term: { sold: 'yes' } }, "Can't parse boolean value [yes]"],
    ['a field that is not indexed', { term: { hidden: 'x' } }, 'since it is not indexed'],
    ['prefixes of numbers', { prefix: { stock: '1' } }, 'Can only use prefix queries on'],
    ['a metadata field', { term: { _index: 'x' } }, '[_index] field in a query'],
    ['a lookup', { terms: { kind: { index: 'x' } } }, '[terms] lookup of a document'],
    [
      'a wrong minimum',
      { bool: { should: [], must: [{ match_all: {} }], minimum_should_match: 'x' } },
      'For input string: "x"',
    ],
  ])('%s is refused', async (_, query, reason) => {
    await expect(find(query)).rejects.toThrow(reason)
  })

  test('too deep a query, and too many clauses', async () => {
    let deep: object = { match_all: {} }
    for (let i = 0; i < 101; i++) deep = { bool: { must: [deep] } }
    await expect(find(deep)).rejects.toThrow('nested depth of the query')
    const should = Array.from({ length: 1025 }, (_, i) => ({ term: { kind: `${i}` } }))
    await expect(find({ bool: { should } })).rejects.toMatchObject({ type: 'too_many_clauses' })
  })
})

test.each([
  ['whole numbers beyond 2^53 exactly', { term: { stock: 9007199254740993n } }, '1'],
  ['not their neighbour', { term: { stock: 9007199254740992n } }, ''],
  ['as text too', { range: { stock: { gte: '9007199254740993' } } }, '1'],
  ['fractions of whole numbers never', { term: { stock: 7.5 } }, ''],
  ['between fractions', { range: { stock: { gt: 6.5, lt: 7.5 } } }, '2'],
  ['floats in their own width', { term: { ratio: 0.1 } }, '1'],
  ['truth values', { terms: { sold: [true, false] } }, '13'],
  ['a text without words exists', { exists: { field: 'title' } }, '12'],
  ['an object exists by its fields', { exists: { field: 'part' } }, '23'],
  ['patterns of fields', { exists: { field: 'part.*' } }, '23'],
  ['ids, the unknown left out', { ids: { values: ['3', 'x', '1'] } }, '13'],
  ['the id as a term', { term: { _id: '2' } }, '2'],
  ['no field, no match', { match: { nowhere: 'x' } }, ''],
  ['wildcards', { wildcard: { kind: '?' } }, '12'],
  ['a literal star', { wildcard: { kind: String.raw`\*` } }, ''],
  ['all but', { bool: { must_not: { term: { kind: 'a' } } } }, '23'],
  [
    'numbers of clauses',
    {
      bool: {
        should: [{ term: { kind: 'a' } }, { term: { sold: true } }, { term: { kind: 'b' } }],
        minimum_should_match: 2,
      },
    },
    '1',
  ],
  [
    'lenient fields',
    { multi_match: { query: 'tea', fields: ['title', 'stock'], lenient: true } },
    '1',
  ],
])('a query finds %s', async (_, query, expected) => {
  expect(await find(query)).toBe(expected)
})
