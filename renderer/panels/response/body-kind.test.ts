import { expect, test } from 'vitest'
import { bodyKind, fileNameOf } from './body-kind.ts'

const answer = (contentType: string, body: string, encoding: 'utf8' | 'base64' = 'utf8') => ({
  headers: contentType === '' ? [] : ([['Content-Type', contentType]] as [string, string][]),
  body,
  encoding,
})

test.each([
  ['application/json; charset=UTF-8', '{}', 'utf8', 'json'],
  ['application/vnd.elasticsearch+json;compatible-with=9', '[]', 'utf8', 'json'],
  ['application/x-ndjson', '{}\n{}', 'utf8', 'text'],
  ['text/plain', '{"looks":"like it"}', 'utf8', 'text'],
  ['', ' {"a":1}', 'utf8', 'json'],
  ['', 'green open movies', 'utf8', 'text'],
  ['application/json', '', 'utf8', 'empty'],
  ['image/png', 'iVBORw0', 'base64', 'image'],
  ['application/octet-stream', 'AAEC', 'base64', 'binary'],
] as const)('%s with %j is shown as %s %s', (contentType, body, encoding, kind) => {
  expect(bodyKind(answer(contentType, body, encoding))).toBe(kind)
})

test.each([
  ['/movies/_search?size=1', 'application/json', '_search.json'],
  ['/logo.png', 'image/png', 'logo.png'],
  ['/', 'text/plain', 'response.txt'],
  ['/a b/%C3%A9', 'text/html', '-C3-A9.html'],
])('%s as %s is saved as %s', (path, contentType, name) => {
  const isImage = contentType.startsWith('image/')
  expect(fileNameOf(path, answer(contentType, 'x', isImage ? 'base64' : 'utf8'))).toBe(name)
})
