import { expect, test } from 'vitest'
import { compileScript } from './compiled-script.ts'

const source = (text: string) => ({ stageId: 'a', file: 'a.js', line: 1, column: 1, text })

test.each<[text: string, libraries: string[]]>([
  ['function handleRequest() { return { a: [1].map(String) } }', []],
  ['_.sum([1])', ['lodash']],
  ['lodash.sum([1]); _.max([2])', ['lodash', 'lodash']],
  ['const sum = _["sum"]', ['lodash']],
  ['const n = crypto.randomUUID() + crypto.getRandomValues(new Uint8Array(1))', []],
  ['const hash = crypto.MD5("x")', ['crypto-js']],
  ['const { MD5 } = crypto', ['crypto-js']],
  ['const all = [crypto]', ['crypto-js']],
  ['globalThis.crypto.SHA1("x")', ['crypto-js']],
  ['CryptoJS.MD5("x")', ['crypto-js']],
  ['nlp("x")', ['compromise']],
  ['const o = { nlp: 1, _: 2, crypto: 3 }; o.nlp; o.crypto.MD5', []],
  ['"nlp _ lodash CryptoJS" // _.sum', []],
])('the libraries behind a script are those it uses: %s', (text, libraries) => {
  expect(compileScript(source(text)).libraries).toEqual(libraries)
})

test('only the globals that a script names are made for its stages', () => {
  const { bindings } = compileScript(source('console.log(_.sum([]), context.fetch); let KV = 1'))
  expect(bindings).toEqual(['console', '_'])
})
