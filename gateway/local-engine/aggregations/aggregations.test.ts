import { describe, expect, test } from 'vitest'
import { makeSearchTarget } from '../../../test/support/search-target.ts'
import { writeJson } from '../json/write.ts'
import { executeSearch } from '../search/phase.ts'
import { aggregations, REFUSED_AGGREGATIONS } from './registry.ts'

const given = {
  properties: {
    title: { type: 'text' },
    kind: { type: 'keyword' },
    price: { type: 'double' },
    weight: { type: 'float' },
    stock: { type: 'long' },
    sold: { type: 'boolean' },
    made: { type: 'date' },
  },
  documents: [
    [
      '1',
      '{"kind":["tea","leaf"],"price":2.5,"weight":0.1,"stock":9007199254740993,"sold":true,"made":"2024-01-31"}',
    ],
    ['2', '{"kind":"tea","price":[10,12.5],"stock":3,"sold":false,"made":"2024-04-01"}'],
    ['3', '{"kind":"cup","price":3,"stock":3,"sold":true,"made":"2024-04-01T12:00:00Z"}'],
    ['4', '{"title":"nothing else"}'],
  ],
} as const

const targets = {
  'one segment': makeSearchTarget(given),
  'a segment a document': makeSearchTarget({ ...given, perSegment: 1 }),
}

const run = async (aggs: unknown, target = targets['one segment'], more: object = {}) => {
  const { aggregations } = await executeSearch([target], { size: 0, aggs, ...more })
  return writeJson(aggregations).toString()
}

describe.each(Object.entries(targets))('over %s', (_, target) => {
  test.each([
    ['min', { min: { field: 'price' } }, '{"value":2.5}'],
    ['max of floats, in double', { max: { field: 'weight' } }, '{"value":0.10000000149011612}'],
    ['avg', { avg: { field: 'price' } }, '{"value":7.0}'],
    ['avg of nothing', { avg: { field: 'nowhere' } }, '{"value":null}'],
    ['sum of nothing', { sum: { field: 'nowhere' } }, '{"value":0.0}'],
    [
      'sum with a value for missing ones',
      { sum: { field: 'price', missing: 100 } },
      '{"value":128.0}',
    ],
    [
      'max of dates',
      { max: { field: 'made' } },
      '{"value":1.7119728E12,"value_as_string":"2024-04-01T12:00:00.000Z"}',
    ],
    [
      'stats',
      { stats: { field: 'price' } },
      '{"count":4,"min":2.5,"max":12.5,"avg":7.0,"sum":28.0}',
    ],
    ['value_count', { value_count: { field: 'kind' } }, '{"value":4}'],
    ['cardinality of keywords', { cardinality: { field: 'kind' } }, '{"value":3}'],
    ['cardinality of numbers', { cardinality: { field: 'stock' } }, '{"value":2}'],
    [
      'terms, ties by key',
      { terms: { field: 'kind' } },
      '{"doc_count_error_upper_bound":0,"sum_other_doc_count":0,"buckets":[{"key":"tea","doc_count":2},{"key":"cup","doc_count":1},{"key":"leaf","doc_count":1}]}',
    ],
    [
      'terms of whole numbers beyond 2^53',
      { terms: { field: 'stock', order: { _key: 'desc' } } },
      '{"doc_count_error_upper_bound":0,"sum_other_doc_count":0,"buckets":[{"key":9007199254740993,"doc_count":1},{"key":3,"doc_count":2}]}',
    ],
    [
      'terms of truth values',
      { terms: { field: 'sold' } },
      '{"doc_count_error_upper_bound":0,"sum_other_doc_count":0,"buckets":[{"key":1,"key_as_string":"true","doc_count":2},{"key":0,"key_as_string":"false","doc_count":1}]}',
    ],
    [
      'terms with missing ones, the rest counted',
      { terms: { field: 'kind', missing: 'none', size: 1, order: { _key: 'asc' } } },
      '{"doc_count_error_upper_bound":0,"sum_other_doc_count":4,"buckets":[{"key":"cup","doc_count":1}]}',
    ],
    [
      'terms by a pattern and a list',
      { terms: { field: 'kind', include: '(t|l)ea.?', exclude: ['leaf'] } },
      '{"doc_count_error_upper_bound":0,"sum_other_doc_count":0,"buckets":[{"key":"tea","doc_count":2}]}',
    ],
    [
      'terms ordered by a metric inside',
      {
        terms: { field: 'kind', order: { 'p.max': 'desc' }, size: 2 },
        aggs: { p: { stats: { field: 'price' } } },
      },
      '{"doc_count_error_upper_bound":0,"sum_other_doc_count":1,"buckets":[{"key":"tea","doc_count":2,"p":{"count":3,"min":2.5,"max":12.5,"avg":8.333333333333334,"sum":25.0}},{"key":"cup","doc_count":1,"p":{"count":1,"min":3.0,"max":3.0,"avg":3.0,"sum":3.0}}]}',
    ],
    [
      'histogram with gaps, a document once a bucket',
      { histogram: { field: 'price', interval: 5 } },
      '{"buckets":[{"key":0.0,"doc_count":2},{"key":5.0,"doc_count":0},{"key":10.0,"doc_count":1}]}',
    ],
    [
      'histogram by key, moved',
      { histogram: { field: 'price', interval: 5, offset: -1, min_doc_count: 1, keyed: true } },
      '{"buckets":{"-1.0":{"key":-1.0,"doc_count":2},"9.0":{"key":9.0,"doc_count":1}}}',
    ],
    [
      'months with gaps',
      { date_histogram: { field: 'made', calendar_interval: 'month', format: 'yyyy-MM' } },
      '{"buckets":[{"key_as_string":"2024-01","key":1704067200000,"doc_count":1},{"key_as_string":"2024-02","key":1706745600000,"doc_count":0},{"key_as_string":"2024-03","key":1709251200000,"doc_count":0},{"key_as_string":"2024-04","key":1711929600000,"doc_count":2}]}',
    ],
    [
      'days of another zone',
      {
        date_histogram: {
          field: 'made',
          fixed_interval: '1d',
          time_zone: '-05:00',
          min_doc_count: 1,
          format: 'yyyy-MM-dd',
        },
      },
      '{"buckets":[{"key_as_string":"2024-01-30","key":1706590800000,"doc_count":1},{"key_as_string":"2024-03-31","key":1711861200000,"doc_count":1},{"key_as_string":"2024-04-01","key":1711947600000,"doc_count":1}]}',
    ],
    [
      'filter with what it holds',
      { filter: { term: { sold: true } }, aggs: { s: { sum: { field: 'price' } } } },
      '{"doc_count":2,"s":{"value":5.5}}',
    ],
    [
      'meta beside the result',
      { meta: { a: 1 }, max: { field: 'price' } },
      '{"meta":{"a":1},"value":12.5}',
    ],
  ])('%s', async (_name, one, expected) => {
    expect(await run({ it: one }, target)).toBe(`{"it":${expected}}`)
  })

  test('terms without documents are shown when asked for', async () => {
    const text = await run({ it: { terms: { field: 'kind', min_doc_count: 0 } } }, target, {
      query: { term: { kind: 'cup' } },
    })
    expect(text).toContain(
      '[{"key":"cup","doc_count":1},{"key":"leaf","doc_count":0},{"key":"tea","doc_count":0}]',
    )
  })
})

test('sums keep what rounding would lose', async () => {
  const target = makeSearchTarget({
    properties: { x: { type: 'double' } },
    documents: [1e16, 1, 1, -1e16].map((x, i) => [`${i}`, `{"x":${x}}`] as const),
  })
  expect(await run({ it: { sum: { field: 'x' } } }, target)).toBe('{"it":{"value":2.0}}')
})

test('several indices are counted together, also where one has no such field', async () => {
  const other = makeSearchTarget({
    properties: { kind: { type: 'keyword' } },
    documents: [['x', '{"kind":"cup"}']],
  })
  const { aggregations } = await executeSearch([targets['one segment'], other], {
    size: 0,
    aggs: {
      kinds: { terms: { field: 'kind', size: 1, order: { _key: 'asc' } } },
      all: { max: { field: 'price' } },
    },
  })
  expect(writeJson(aggregations).toString()).toBe(
    '{"kinds":{"doc_count_error_upper_bound":0,"sum_other_doc_count":3,"buckets":[{"key":"cup","doc_count":2}]},"all":{"value":12.5}}',
  )
})

test.each(REFUSED_AGGREGATIONS)('the aggregation %s is refused by name', async (name) => {
  await expect(run({ it: { [name]: {} } })).rejects.toMatchObject({
    type: 'unsupported_feature_exception',
    extra: { feature: `aggregation.${name}` },
  })
})

test.each(
  aggregations.filter(({ name }) => name !== 'filter').map((one) => [one.name, one] as const),
)('the aggregation %s refuses parameters it does not know', async (name, { refused }) => {
  await expect(run({ it: { [name]: { no_such: 1 } } })).rejects.toThrow(
    `[${name}] unknown field [no_such]`,
  )
  for (const parameter of refused)
    await expect(run({ it: { [name]: { [parameter]: 1 } } }), parameter).rejects.toMatchObject({
      type: 'unsupported_feature_exception',
    })
})

test.each([
  ['an unknown one', { it: { foo: {} } }, 'Unknown aggregation type [foo]'],
  ['none at all', { it: {} }, 'Missing definition for aggregation [it]'],
  [
    'two at once',
    { it: { min: { field: 'price' }, max: { field: 'price' } } },
    'Found two aggregation type definitions',
  ],
  [
    'a name with brackets',
    { 'a[b]': { min: { field: 'price' } } },
    'Invalid aggregation name [a[b]]',
  ],
  [
    'sub-aggregations of a metric',
    { it: { min: { field: 'price' }, aggs: { x: { min: { field: 'price' } } } } },
    'cannot accept sub-aggregations',
  ],
  ['text', { it: { terms: { field: 'title' } } }, 'Text fields are not optimised'],
  [
    'numbers of words',
    { it: { sum: { field: 'kind' } } },
    'is not supported for aggregation [sum]',
  ],
  [
    'an order by nothing',
    { it: { terms: { field: 'kind', order: { x: 'asc' } } } },
    'Invalid aggregation order path [x]',
  ],
  ['no interval', { it: { histogram: { field: 'price' } } }, 'interval must be positive'],
  [
    'both intervals',
    { it: { date_histogram: { field: 'made', calendar_interval: '1d', fixed_interval: '1d' } } },
    'failed to parse field [fixed_interval]',
  ],
  [
    'more buckets than there may be',
    { it: { histogram: { field: 'price', interval: 0.0001 } } },
    'Trying to create too many buckets',
  ],
])('%s is refused', async (_, aggs, reason) => {
  await expect(run(aggs)).rejects.toThrow(reason)
})

describe('terms in another order than that of counts and keys', () => {
  const letters = makeSearchTarget({
    properties: { k: { type: 'keyword' }, n: { type: 'long' } },
    documents: Array.from('aabbbccccd', (k, i) => [
      String(i),
      JSON.stringify(k === 'b' ? { k } : { k, n: i }),
    ]),
  })
  const terms = async (own: object, field = 'n') => {
    const aggs = { a: { terms: { field: 'k', ...own }, aggs: { m: { avg: { field } } } } }
    const { a } = JSON.parse(await run(aggs, letters)) as {
      a: { doc_count_error_upper_bound: number; buckets: { key: string }[] }
    }
    return `${a.buckets.map(({ key }) => key).join('')} ${a.doc_count_error_upper_bound}`
  }

  test.each([
    [{ _count: 'asc' }, 'da -1'],
    [[{ m: 'desc' }, { _count: 'desc' }], 'dc -1'],
    [{ _count: 'desc' }, 'cb 0'],
    [[{ _key: 'desc' }, { m: 'asc' }], 'dc 0'],
  ])('%j: counts may be wrong by an unknown number', async (order, expected) => {
    expect(await terms({ order, size: 2, shard_size: 2 })).toBe(expected)
  })

  test('unless all values were looked at', async () => {
    expect(await terms({ order: { _count: 'asc' }, size: 2 })).toBe('da 0')
  })

  test.each(['asc', 'desc'])('buckets without a value stand last, %s', async (direction) => {
    expect(await terms({ order: { m: direction } })).toMatch(/b 0$/)
  })
})

test('a bucket that only fills a gap has no terms, not even those without documents', async () => {
  const inside = { x: { terms: { field: 'kind', min_doc_count: 0 } } }
  const aggs = {
    h: {
      histogram: { field: 'price', interval: 2.5 },
      aggs: { ...inside, f: { filter: { match_all: {} }, aggs: inside } },
    },
  }
  const { h } = JSON.parse(await run(aggs)) as {
    h: { buckets: { doc_count: number; x: { buckets: [] }; f: { x: { buckets: [] } } }[] }
  }
  const sizes = h.buckets.map((one) => [
    one.doc_count,
    one.x.buckets.length,
    one.f.x.buckets.length,
  ])
  expect(sizes).toEqual([
    [2, 3, 3],
    [0, 0, 0],
    [0, 0, 0],
    [1, 3, 3],
    [1, 3, 3],
  ])
})
