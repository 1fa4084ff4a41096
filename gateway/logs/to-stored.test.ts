import { expect, test } from 'vitest'
import { createMask } from '../trace/masking.ts'
import { type RawLog, toRaw } from './raw-log.ts'
import { toRecord } from './to-record.ts'
import { toStored } from './to-stored.ts'

const BOUNDS = { bodyChars: 50, marginChars: 40 }

const logOf = (log: Partial<RawLog>): RawLog => ({
  id: 'run-1',
  pipelineId: 'p',
  route: { path: '/a', method: 'POST' },
  startTime: Date.UTC(2026, 10, 21),
  tookMs: 1.23456,
  status: 'ok',
  continued: [],
  method: 'POST',
  uri: '/a?x=1',
  start: {
    request: { method: 'POST', url: 'http://h/a?x=1', headers: {}, body: '' },
    response: { code: 200, headers: {}, body: '' },
    envs: {},
  },
  response: { code: 200, headers: {}, body: '' },
  stages: [],
  consoleLogs: [],
  ...log,
})

const store = (log: Partial<RawLog>, secrets: string[] = []) => {
  const stored = toStored(toRaw(logOf(log), BOUNDS), createMask(secrets), BOUNDS)
  return toRecord(stored, true)
}
const answer = (body: string, headers = {}) => ({ response: { code: 200, headers, body } })

test('a body beyond the limit is cut and says how long it was', () => {
  const { response } = store(answer('x'.repeat(120)))
  expect(response.body).toBe(`${'x'.repeat(50)}… (cut: 120 characters in all)`)
  expect(store(answer('x'.repeat(50))).response.body).toBe('x'.repeat(50))
})

test.each(Array.from({ length: 60 }, (_, at) => at + 20))(
  'a secret at place %i of a long body leaves no trace, wherever the cut is',
  (place) => {
    const secret = 'open-sesame-please'
    const body = `${'x'.repeat(place)}${secret}${'y'.repeat(200)}`
    expect(store(answer(body), [secret]).response.body).not.toMatch(/o.{0,3}pen|ope/)
  },
)

test('many secrets that shrink do not pull a half one into the record', () => {
  const secret = 'open-sesame-please'
  const { response } = store(answer(secret.repeat(40)), [secret])
  expect(response.body).toMatch(/^•*… \(cut: 720 characters in all\)$/)
})

test('secrets are hidden in keys, in escaped texts, in addresses and in headers', () => {
  const secret = 'two "quoted" words'
  const record = store(
    {
      uri: `/a?key=${encodeURIComponent(secret)}`,
      ...answer(JSON.stringify({ key: secret }).slice(0, 45), { 'set-cookie': 'session=1' }),
      consoleLogs: [`got ${secret}`, 'to http://user:word@host/'],
      stages: [
        {
          id: 's',
          async: false,
          status: 'ok',
          changes: { [secret]: [secret], request: { headers: { Authorization: 'Basic eDp5' } } },
          removed: [],
        },
      ],
    },
    [secret],
  )
  const text = JSON.stringify(record)
  for (const hidden of ['quoted', 'session=1', 'eDp5', 'user:word'])
    expect(text).not.toContain(hidden)
  expect(record.console_logs).toEqual(['got ••••', 'to http://••••@host/'])
})

test('long numbers keep their digits', () => {
  const { context } = store({
    stages: [
      {
        id: 's',
        async: false,
        status: 'ok',
        changes: { id: JSON.rawJSON('9007199254740993') },
        removed: [],
      },
    ],
  })
  expect(context).toContain('"id":9007199254740993')
})

test('a value too large to keep says so, and the rest is kept', () => {
  const { context } = store({
    stages: [
      {
        id: 's',
        async: false,
        status: 'ok',
        changes: { small: 1, large: Array.from({ length: 50 }, () => 'long enough text') },
        removed: [],
      },
    ],
  })
  expect(JSON.parse(context)).toMatchObject({
    small: 1,
    large: expect.stringMatching(/left out: about \d+ bytes/),
  })
})
