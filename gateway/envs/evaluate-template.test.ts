import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluateHeader, substitute } from './evaluate-template.ts'

const values: Record<string, string> = { KEY: 'sk-1', USER: 'me', 'A.B-C': 'dotted', U: 'ü✓' }
const lookup = (name: string) => values[name]

test.each([
  ['Bearer ${KEY}', 'Bearer sk-1'],
  ['`Basic ${btoa(${KEY})}`', 'Basic c2stMQ=='],
  ['`Basic ${btoa(KEY)}`', 'Basic c2stMQ=='],
  [' `Basic ${ btoa( "me:" + KEY ) }` ', 'Basic bWU6c2stMQ=='],
  ["`Basic ${btoa('${USER}:${KEY}')}`", 'Basic bWU6c2stMQ=='],
  ['`${USER + ":" + A.B-C}`', 'me:dotted'],
  ['`${atob("aGk=")} ${encodeURIComponent(U)}`', 'hi %C3%BC%E2%9C%93'],
  ['`${btoa(btoa(KEY) + "x")}`', btoa(`${btoa('sk-1')}x`)],
  ['`a \\` b \\${KEY}`', 'a ` b ${KEY}'],
  ['``', ''],
  ['plain btoa(KEY)', 'plain btoa(KEY)'],
  ['`"it\'s" ${"\\"quoted\\""}`', '"it\'s" "quoted"'],
])('%s is %j', (written, text) => {
  expect(evaluateHeader(written, lookup)).toEqual({ text })
})

test.each([
  ['Bearer ${NOPE}', 8, 'There is no variable "NOPE"'],
  ['`Basic ${btoa(NOPE)}`', 15, 'There is no variable "NOPE"'],
  ['`${eval("1")}`', 4, 'There is no function "eval": btoa, atob, encodeURIComponent exist'],
  ['`${constructor("1")}`', 4, /There is no function "constructor"/],
  ['`${btoa(KEY}`', 12, 'Expected ) or +, found "}"'],
  ['`${btoa(KEY)`', 13, 'Expected } or + before the end'],
  ['`${KEY * 2}`', 8, 'Expected } or +, found "*"'],
  ['`${"open}`', 4, 'This quoted text is not closed'],
  ['`${btoa(U)}`', 4, 'btoa() takes characters up to U+00FF only'],
  ['`${atob("?")}`', 4, 'atob() takes base64 text only'],
  ['`${}`', 4, 'Expected a name, a quoted text or a call, found "}"'],
  ['`a`b`', 3, 'A back-tick ends the template early'],
  [`\`\${${'btoa('.repeat(50)}KEY${')'.repeat(50)}}\``, 109, /nested too deeply/],
])('%s fails at column %d', (written, column, message) => {
  const result = evaluateHeader(written, lookup)
  expect(result).toEqual({
    problem: {
      column,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    },
  })
})

test('substitution touches nothing but variables', () => {
  expect(substitute('https://x/${USER}?a={${KEY}}&b=$KEY', lookup)).toEqual({
    text: 'https://x/me?a={sk-1}&b=$KEY',
  })
})

test('whatever is written, evaluation gives a text or a place in it, and never throws', () => {
  const piece = fc.constantFrom('`', '${', '}', 'btoa(', ')', '+', '"', "'", '\\', 'KEY', ' ', 'x')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const written = `\`${pieces.join('')}\``
      const result = evaluateHeader(written, lookup)
      if ('problem' in result)
        expect(result.problem.column).toSatisfy((at: number) => at >= 1 && at <= written.length + 1)
    }),
  )
})
