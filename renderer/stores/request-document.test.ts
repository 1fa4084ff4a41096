import { expect, test } from 'vitest'
import { blockAt, headersToSend, parseRequestDocument } from './request-document.ts'

const DOCUMENT = `### find batman
POST /movies/_declarative
X-Trace: on
// @expect status 200

{ "id": 103195600828599841 }

### load two
POST movies/_bulk
{"index":{}}
{"title":"A"}

GET /_cat/indices?v
`

test('reads name, method, path, headers, body and expectation of each request', () => {
  expect(parseRequestDocument(DOCUMENT)).toEqual({
    problems: [],
    blocks: [
      {
        name: 'find batman',
        startLine: 1,
        methodLine: 2,
        endLine: 7,
        method: 'POST',
        path: '/movies/_declarative',
        headers: [['X-Trace', 'on']],
        body: '{ "id": 103195600828599841 }',
        bodyLine: 6,
        expectStatus: 200,
      },
      {
        name: 'load two',
        startLine: 8,
        methodLine: 9,
        endLine: 12,
        method: 'POST',
        path: '/movies/_bulk',
        headers: [],
        body: '{"index":{}}\n{"title":"A"}\n',
        bodyLine: 10,
      },
      {
        name: 'GET /_cat/indices?v',
        startLine: 13,
        methodLine: 13,
        endLine: 14,
        method: 'GET',
        path: '/_cat/indices?v',
        headers: [],
        body: '',
        bodyLine: 14,
      },
    ],
  })
})

test('keeps blank lines inside a body and leaves comment lines out', () => {
  const { blocks } = parseRequestDocument('POST /a\n\n{\n\n  // why\n  "b": 1\n}\n')
  expect(blocks[0]?.body).toBe('{\n\n  "b": 1\n}')
})

test('points at text before a request and at a broken header', () => {
  expect(parseRequestDocument('hello\nGET /a\nbroken header\n').problems).toEqual([
    {
      line: 1,
      message: '"hello" stands before a request; start with a line such as "GET /movies/_search"',
    },
    {
      line: 3,
      message:
        '"broken header" is no header; write "Name: value", or leave a blank line before the body',
    },
  ])
})

test('gives the block around the cursor, and the next one above the first', () => {
  const { blocks } = parseRequestDocument(`\n${DOCUMENT}`)
  expect([1, 5, 11, 99].map((line) => blockAt(blocks, line)?.name)).toEqual([
    'find batman',
    'find batman',
    'load two',
    'GET /_cat/indices?v',
  ])
})

test('adds the content type a body needs unless the document names one', () => {
  const types = parseRequestDocument(
    'POST /a\n{}\n\nPOST /_msearch\n{}\n\nPOST /b\nContent-Type: text/plain\n{}\n\nGET /c',
  ).blocks.map((block) => headersToSend(block).map(([, value]) => value))
  expect(types).toEqual([['application/json'], ['application/x-ndjson'], ['text/plain'], []])
})
