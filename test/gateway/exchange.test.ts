import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorkspace } from '../support/make-workspace.ts'
import { runSluice } from '../support/start-sluice.ts'

const PIPELINE = `# About this pipeline.
id: shop
routes: [{ path: /shop/_declarative, method: POST, classify: { category: declarative } }]
global_envs:
  - key: TOKEN
    value: hunter2hunter2
stages:
  - use: authorization
  - use: declarativeQuery # translates
  - id: rank
    scriptRef: shop/rank.js
`
const SCRIPT = 'function handleRequest() {\n  return { a: "\\"" }\n}\n'
const source = () =>
  makeWorkspace({ 'pipelines/shop.pipeline.yaml': PIPELINE, 'pipelines/shop/rank.js': SCRIPT })

test('a pipeline is printed in the other dialect, comments and all, without its secrets', async () => {
  using from = source()
  const file = join(from.dir, 'pipelines/shop.pipeline.yaml')
  const { code, stdout } = await runSluice(['export', file, '--dialect', 'reference'])
  expect([code, stdout]).toEqual([
    0,
    PIPELINE.replace('_declarative', '_reactivesearch')
      .replace('category: declarative', 'category: reactivesearch')
      .replace('declarativeQuery', 'reactivesearchQuery')
      .replace('hunter2hunter2', '"••••"'),
  ])
})

test('one-click JSON goes out, and comes in as files again', async () => {
  using from = source()
  using to = makeWorkspace({})
  const file = join(from.dir, 'pipelines/shop.pipeline.yaml')
  const { stdout } = await runSluice(['export', file, '--one-click'])
  expect(stdout).not.toContain('hunter2')
  const oneClick = join(from.dir, 'one-click.json')
  writeFileSync(oneClick, stdout)

  const first = await runSluice(['import', oneClick, '--workspace', to.dir])
  expect([first.code, first.stdout]).toEqual([
    0,
    'wrote pipelines/shop.pipeline.json\nwrote pipelines/shop/rank.js\n',
  ])
  expect(readFileSync(join(to.dir, 'pipelines/shop/rank.js'), 'utf8')).toBe(SCRIPT)

  // What differs is kept without --force, all of it.
  to.write('pipelines/shop/rank.js', 'mine()')
  writeFileSync(oneClick, stdout.replace('"shop/_', '"shop2/_').replace('"/shop', '"/shop2'))
  const refused = await runSluice(['import', oneClick, '--workspace', to.dir])
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(
      /"pipelines\/shop\.pipeline\.json".*"pipelines\/shop\/rank\.js".*--force/,
    ),
  ])
  expect(readFileSync(join(to.dir, 'pipelines/shop/rank.js'), 'utf8')).toBe('mine()')
  await runSluice(['import', oneClick, '--workspace', to.dir, '--force'])
  expect(readFileSync(join(to.dir, 'pipelines/shop/rank.js'), 'utf8')).toBe(SCRIPT)
  expect(readFileSync(join(to.dir, 'pipelines/shop.pipeline.json'), 'utf8')).toContain('/shop2/')
})

test('a template with its scripts is imported; what is wrong with it is printed with its place', async () => {
  using from = makeWorkspace({
    'template/pipeline.yaml':
      'routes:\n  - path: a\n    method: GET\nstages:\n  - use: authorization\n  - id: x\n    scriptRef: scripts/x\n  - use: nothing\n',
    'template/x.js': 'x()',
  })
  using to = makeWorkspace({})
  const file = join(from.dir, 'template/pipeline.yaml')
  const { code, stdout } = await runSluice(['import', file, '--workspace', to.dir])
  expect([code, stdout.split('\n')]).toEqual([
    1,
    [
      expect.stringMatching(
        /^pipelines\/template\.pipeline\.yaml:8:10: error: .* \[unknown-use\]$/,
      ),
      'wrote pipelines/template.pipeline.yaml',
      'wrote pipelines/scripts/x.js',
      '',
    ],
  ])
  expect(readFileSync(join(to.dir, 'pipelines/template.pipeline.yaml'), 'utf8')).toContain(
    'path: /a\n',
  )
})

test('a text that cannot be read writes nothing', async () => {
  using from = makeWorkspace({ 'bad.yaml': 'stages: [' })
  using to = makeWorkspace({})
  const { code, stdout } = await runSluice([
    'import',
    join(from.dir, 'bad.yaml'),
    '--workspace',
    to.dir,
  ])
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/bad\.yaml:1:\d+: error: .* \[syntax\]/),
  ])
  expect(existsSync(join(to.dir, 'pipelines'))).toBe(false)
})

test('a file that is not there is told in one line', async () => {
  const { code, stderr } = await runSluice(['export', 'nowhere.yaml'])
  expect([code, stderr]).toEqual([2, 'sluice: There is no file "nowhere.yaml" to read\n'])
})

test('a file that is no text, or no file, is told in one line', async () => {
  using from = makeWorkspace({ 'folder.yaml/a.txt': '' })
  const utf16 = join(from.dir, 'utf16.yaml')
  writeFileSync(utf16, '\ufeffid: a', 'utf16le')
  const folder = join(from.dir, 'folder.yaml')
  const told = [
    [utf16, 'is not UTF-8: save it as UTF-8'],
    [folder, 'cannot be read: EISDIR'],
  ] as const
  for (const [file, why] of told)
    for (const flags of [
      ['export', file],
      ['import', file, '--workspace', from.dir],
    ]) {
      const { code, stderr } = await runSluice(flags)
      expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringContaining(why)]])
    }
  expect(existsSync(join(from.dir, 'pipelines'))).toBe(false)
})
