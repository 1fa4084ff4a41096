import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { runScript } from '../../test/support/run-script.ts'
import { temporaryFolder } from '../../test/support/start-sluice.ts'
import { scriptGlobals } from './globals/index.ts'
import { scriptApi, scriptTypes } from './script-types.ts'

const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

/** What the compiler says about a script, by line. */
async function mistakesOf(script: string) {
  using folder = temporaryFolder()
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder.dir, path)), { recursive: true })
    writeFileSync(join(folder.dir, path), text)
  }
  for (const { path, text } of scriptTypes()) write(path, text)
  write('script.js', script)
  const compilerOptions = {
    target: 'esnext',
    lib: ['esnext'],
    module: 'preserve',
    moduleResolution: 'bundler',
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: true,
    noImplicitAny: false,
    types: [],
  }
  write(
    'tsconfig.json',
    JSON.stringify({ compilerOptions, files: ['script-api.d.ts', 'script.js'] }),
  )
  const { stdout } = await promisify(execFile)(process.execPath, [
    TSC,
    '-p',
    folder.dir,
    '--pretty',
    'false',
  ]).catch((failed: { stdout: string }) => failed)
  return stdout.trim() === '' ? [] : stdout.trim().split('\n')
}

test('scripts as users write them have the types they expect', async () => {
  const script = `
async function handleRequest() {
  const query = JSON.parse(context.request.body)
  context.request.headers['x-a'] = 'b'
  const answer = await fetch('https://example.org/', { method: 'POST', headers: { a: 'b' }, body: '{}', redirect: 'manual' })
  const parsed = JSON.parse(answer)
  const { ok, status, headers, url } = answer
  if (ok && status === 200 && answer.includes('x')) console.log('found', headers['content-type'], headers.get('x-a')?.length, url.length, parsed, await answer.json())
  const timer = setTimeout((a) => console.warn(a.toFixed(1)), 10, 5)
  clearTimeout(timer)
  const seen = KV.get('key')
  KV.put('key', seen ?? btoa(atob('')))
  const lines = ndjson.parse('{}').map((line) => line.a)
  const groups = _.groupBy([{ a: 'x' }], 'a')
  const names = lodash.chain([3, 1]).sortBy().map((n) => n + 1).value()
  const hash = CryptoJS.SHA256('x').toString(CryptoJS.enc.Base64) + crypto.HmacMD5('a', 'b').toString()
  const id = crypto.randomUUID().toUpperCase() + crypto.getRandomValues(new Uint8Array(4)).length
  const people = nlp('Ann walks', { ann: 'Person' }).people().out('array')
  const start = nlp('june 5').dates({ timezone: 'UTC' }).get()[0]?.start
  return { response: { ...context.response, code: 200, body: ndjson.stringify([lines, groups, names, hash, id, people, start, query, context.envs.index?.[0], context.anything]) } }
}
`
  expect(await mistakesOf(script)).toEqual([])
})

test('mistakes in scripts are found where they are', async () => {
  const mistakes = await mistakesOf(`context.request.boddy.length
context.response.code = 'x'
KV.put('a')
fetch('http://a/', { redirect: 'never' })
process.exit()
_.groupByy([])
CryptoJS.SHA257('x')
nlp('x').peoples()
require('fs')
`)
  const lines = mistakes.map((line) => Number(/script\.js\((\d+),/.exec(line)?.[1]))
  expect(lines).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('what is declared is what the realm has', async () => {
  const declared = [...scriptApi().matchAll(/^declare (?:const|function|namespace) (\w+)/gm)].map(
    ([, name]) => name,
  )
  expect(new Set(declared)).toEqual(new Set(['context', ...scriptGlobals.map(({ name }) => name)]))
  const { context } = await runScript(
    `function handleRequest() {
      return { present: [${declared.map((name) => `typeof ${name} !== 'undefined' && '${name}'`).join()}], names: Object.getOwnPropertyNames(globalThis) }
    }`,
  )
  expect(context.present).toEqual(declared)
  const builtIn: string[] = runInContext('Object.getOwnPropertyNames(globalThis)', createContext())
  // Safe: the script above gives a list of names.
  const others = (context.names as string[]).filter((name) => !builtIn.includes(name))
  expect(others.filter((name) => !declared.includes(name))).toEqual([])
})

test('every global is described', () => {
  for (const { name, types } of scriptGlobals)
    expect([name, /\/\*\*[^]*?\*\/\ndeclare/.test(types)]).toEqual([name, true])
})
