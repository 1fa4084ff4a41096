import { expect, test } from 'vitest'
import { replaceTook } from './took.ts'

test.each([
  ['{"settings":{"took":5}}', '{"settings":{"took":42}}'],
  [
    '{"q":{"settings":{"took":1}},"settings" : {"a":{"took":2},"took" : 5.5}}',
    '{"q":{"settings":{"took":1}},"settings" : {"a":{"took":2},"took" : 42}}',
  ],
  [
    '{"q":{"id":9007199254740993,"s":"a\\"}\\\\"},"settings":{"took":0}}',
    '{"q":{"id":9007199254740993,"s":"a\\"}\\\\"},"settings":{"took":42}}',
  ],
  ['{"took":5}', '{"took":5}'],
  ['{"settings":{}, "took":5}', '{"settings":{}, "took":5}'],
  ['{"settings":{"took":"5"}}', '{"settings":{"took":"5"}}'],
  ['{"q":"\\"settings\\":{\\"took\\":1}"}', '{"q":"\\"settings\\":{\\"took\\":1}"}'],
  ['[{"settings":{"took":1}}]', '[{"settings":{"took":1}}]'],
  ['no json "took"', 'no json "took"'],
])('%s', (body, expected) => {
  expect(replaceTook(body, 42.4)).toBe(expected)
})
