import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/start-sluice.ts'
import { usualLimits } from '../contract/limits.ts'
import { openSqliteSharedState } from '../state/sqlite-shared.ts'
import type { SharedState } from '../state/shared-state.ts'
import { builtInStages, plannedStages } from '../stages/index.ts'
import { compileDraft } from './check-draft.ts'
import { createLibrary } from './create-library.ts'
import type { PipelineDraft, PipelineLibrary } from './library.ts'
import { openStateRecords } from './state-records.ts'

let folder: ReturnType<typeof temporaryFolder>
let states: SharedState[]
let library: PipelineLibrary

const open = () => {
  const state = openSqliteSharedState(join(folder.dir, 'state.db'))
  states.push(state)
  return createLibrary({
    records: openStateRecords(state),
    compile: (draft, id) =>
      compileDraft(
        draft,
        { id, environment: {} },
        {
          kinds: builtInStages,
          planned: plannedStages,
          maxStages: () => usualLimits.stages,
          checkScript: () => [],
        },
      ),
  })
}

beforeEach(() => {
  folder = temporaryFolder()
  states = []
  library = open()
})
afterEach(async () => {
  for (const state of states) await state.close()
  folder[Symbol.dispose]()
})

const draft = (answer: string, more = ''): PipelineDraft => ({
  content: `# kept\n${more}routes: [{ path: /hello, method: GET }]
stages:
  - id: answer
    scriptRef: scripts/answer.js\n`,
  extension: 'yaml',
  scripts: { 'scripts/answer.js': `// ${answer}\nfunction handleRequest() {}` },
})
const refusal = (code: string, status: number) => expect.objectContaining({ code, status })

test('what was created comes back byte for byte, after a restart, too', async () => {
  const given = { ...draft('one', 'id: hello\npriority: 7\n'), validateContext: '{"a":1}' }
  const created = await library.create(given)
  expect(created).toEqual({
    ...given,
    id: 'hello',
    version: 1,
    isLive: true,
    enabled: true,
    priority: 7,
    createdAt: expect.any(Number),
    updatedAt: created.createdAt,
    etag: expect.any(String),
  })
  const again = open()
  expect(again.get('hello')).toEqual(created)
  expect(again.list()).toEqual([created])
  expect(again.versions('hello')).toEqual([created])
})

test('a text without an id gets one of its own', async () => {
  const { id } = await library.create(draft('one'))
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(library.get(id)?.content).toBe(draft('one').content)
  expect((await library.create(draft('one'))).id).not.toBe(id)
})

test('a taken id, an unknown one and a wrong one are refused, each in its way', async () => {
  await library.create(draft('one', 'id: hello\n'))
  await expect(library.create(draft('two', 'id: hello\n'))).rejects.toEqual(
    refusal('CONFLICT', 409),
  )
  await expect(library.update('none', draft('x'))).rejects.toEqual(refusal('NOT_FOUND', 404))
  await expect(library.remove('none')).rejects.toEqual(refusal('NOT_FOUND', 404))
  await expect(library.makeLive('hello', 2)).rejects.toThrow(
    'Pipeline "hello" has no version 2; there are 1',
  )
  await expect(library.update('hello', draft('x', 'id: other\n'))).rejects.toEqual(
    refusal('UNPROCESSABLE', 422),
  )
})

test('a text with mistakes is refused with all of them, and nothing is stored', async () => {
  const { content } = draft('one', 'id: hello\n')
  const wrong = {
    content: `${content}    needs: [nobody]\n`,
    extension: 'yaml',
    scripts: {},
  } as const
  await expect(library.create(wrong)).rejects.toMatchObject({
    code: 'PIPELINE_INVALID',
    status: 400,
    message: expect.stringMatching(/^The pipeline was not saved: pipelines\/.*yaml:\d+:\d+: /),
    diagnostics: expect.arrayContaining([
      expect.objectContaining({ code: 'script-not-found' }),
      expect.objectContaining({ code: 'unknown-need' }),
    ]),
  })
  expect(library.list()).toEqual([])
  expect(library.check(wrong, 'hello')).toMatchObject({ id: 'hello', diagnostics: { length: 3 } })
})

test('versions: added, changed, made live, removed with the pipeline', async () => {
  const first = await library.create(draft('one', 'id: hello\n'))
  const second = await library.addVersion('hello', draft('two'), { description: 'better' })
  expect(second).toMatchObject({ version: 2, isLive: false, description: 'better' })
  expect(library.get('hello')).toEqual(first)

  const changed = await library.updateVersion('hello', 2, draft('three'), { ifMatch: second.etag })
  expect(changed).toMatchObject({ version: 2, description: 'better', isLive: false })
  expect(library.get('hello')).toEqual(first)

  const live = await library.makeLive('hello', 2)
  expect(live).toMatchObject({ ...changed, isLive: true, etag: expect.any(String) })
  expect(library.get('hello')).toEqual(live)
  expect(library.versions('hello').map(({ version, isLive }) => [version, isLive])).toEqual([
    [1, false],
    [2, true],
  ])
  expect(library.version('hello', 1)?.scripts).toEqual(draft('one').scripts)
  expect((await library.addVersion('hello', draft('four'))).version).toBe(3)

  await library.update('hello', draft('five'))
  expect(library.get('hello')).toMatchObject({ version: 2, scripts: draft('five').scripts })
  await library.remove('hello')
  expect([library.get('hello'), library.versions('hello')]).toEqual([undefined, []])
})

test('of two who change what both have read, the second is told', async () => {
  const other = open()
  const { etag } = await library.create(draft('one', 'id: hello\n'))
  await states[1]?.sync()
  const newer = await other.update('hello', draft('two'), { ifMatch: etag })
  await expect(library.update('hello', draft('three'), { ifMatch: etag })).rejects.toEqual(
    refusal('ETAG_MISMATCH', 412),
  )
  await expect(library.remove('hello', { ifMatch: etag })).rejects.toEqual(
    refusal('ETAG_MISMATCH', 412),
  )
  expect(library.get('hello')).toEqual(newer)
  // A change of another version is no conflict, although it is kept in the same document.
  await other.addVersion('hello', draft('four'))
  await library.update('hello', draft('five'), { ifMatch: newer.etag })
  await states[1]?.sync()
  expect(other.versions('hello').map(({ scripts }) => scripts)).toEqual([
    draft('five').scripts,
    draft('four').scripts,
  ])
})

test('versions that two add at once get numbers of their own', async () => {
  const other = open()
  await library.create(draft('one', 'id: hello\n'))
  await states[1]?.sync()
  const added = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      (at % 2 ? library : other).addVersion('hello', draft(`v${at}`)),
    ),
  )
  expect(added.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual([
    2, 3, 4, 5, 6, 7, 8, 9,
  ])
})

test('listeners hear of every change when it can be read', async () => {
  const seen: unknown[] = []
  library.onChange(() => seen.push(library.list().map(({ version }) => version)))
  await library.create(draft('one', 'id: hello\n'))
  await library.addVersion('hello', draft('two'))
  await library.makeLive('hello', 2)
  await library.remove('hello')
  await states[0]?.put('other', 'x', {})
  expect(seen).toEqual([[1], [1], [2], []])
})
