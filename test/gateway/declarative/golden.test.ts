import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseRequest } from '../../../gateway/declarative/parse-request.ts'
import { translateRequest } from '../../../gateway/declarative/translate-request.ts'
import { validateAnswer } from '../../../gateway/declarative/validate-answer.ts'
import { GatewayError } from '../../../gateway/errors.ts'

/** One request with what existing clients see; see the README beside the cases. */
interface GoldenCase {
  name: string
  index: string
  request: unknown
  status: number
  answer?: { id: string; url?: string; method?: string; headers?: object; body: unknown }[]
}

const fixture = (file: string) =>
  readFileSync(new URL(`../../fixtures/declarative-golden/${file}`, import.meta.url), 'utf8')

const cases = fixture('cases.jsonl')
  .trim()
  .split('\n')
  // Safe: the file is ours and each line is one case.
  .map((line) => JSON.parse(line) as GoldenCase)

/** Cases that are answered otherwise on purpose, each with its reason. */
const differs = new Map(Object.entries(JSON.parse(fixture('differs.json')) as object))

function answerTo({ request, index, answer = [] }: GoldenCase) {
  const body = JSON.stringify(request)
  try {
    const items = validateAnswer(translateRequest(parseRequest(body)), index.split(','))
    return {
      status: 200,
      answer: items.map(({ id, endpoint }, position) =>
        // Only items of endpoint queries were recorded with their address.
        answer[position]?.url ? { id, ...endpoint } : { id, body: endpoint.body },
      ),
    }
  } catch (error) {
    if (error instanceof GatewayError) return { status: error.status }
    throw error
  }
}

const expected = ({ status, answer }: GoldenCase) => (answer ? { status, answer } : { status })
const same = cases.filter(({ name }) => !differs.has(name))
const other = cases.filter(({ name }) => differs.has(name))

test.each(same.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  expect(answerTo(one)).toEqual(expected(one))
})

test.each(other.map((one) => [one.name, differs.get(one.name), one] as const))(
  '%s differs: %s',
  (_name, _reason, one) => {
    expect(answerTo(one)).not.toEqual(expected(one))
  },
)

test(`${same.length} of ${cases.length} recorded answers are given again, and every exception is a case`, () => {
  expect(same).toHaveLength(487)
  expect(other).toHaveLength(differs.size)
})
