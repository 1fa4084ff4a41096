import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/start-sluice.ts'
import type { PipelineRecord } from '../library/record.ts'
import { openSqliteState } from '../state/sqlite.ts'
import type { StateStore } from '../state/state-store.ts'
import { openSaveJournal } from './save-journal.ts'

let folder: ReturnType<typeof temporaryFolder>
let data: ReturnType<typeof temporaryFolder>
let state: StateStore

beforeEach(() => {
  folder = temporaryFolder()
  data = temporaryFolder()
  state = openSqliteState(join(data.dir, 'state.db'))
})
afterEach(() => {
  state.close()
  folder[Symbol.dispose]()
  data[Symbol.dispose]()
})

const open = (scope = '..') => openSaveJournal(folder.dir, state, scope)
const read = (path: string) => readFileSync(join(folder.dir, path), 'utf8')
const record = (live: number): PipelineRecord => ({ live, versions: [] })
const files = ['a.yaml', 'lib/b.js', 'lib/c.js']
const changesTo = (text: string) => files.map((path) => ({ path, text: `${path} ${text}` }))

test('a save writes all its files and its record', () => {
  const journal = open()
  journal.save('a', { record: record(1), files: changesTo('one') })
  expect(files.map(read)).toEqual(files.map((path) => `${path} one`))
  expect(journal.record('a')).toEqual(record(1))
  journal.save('a', { files: [{ path: 'a.yaml', text: null }] })
  expect(readdirSync(folder.dir)).toEqual(['lib'])
  expect(open().record('a')).toBeUndefined()
})

describe.for([0, 1, 2, 3])('a save that was killed after %i of 3 files', (done) => {
  /** Leaves behind what a process leaves that is killed there. */
  function leaveBehind() {
    open().save('a', { record: record(1), files: changesTo('one') })
    let written = 0
    const stopped: StateStore = {
      ...state,
      put(kind, key, value) {
        state.put(kind, key, value)
        // The save counts from here; its process writes so many files and is no more.
        const { pending } = value as { pending?: { path: string; text: string }[] }
        for (const { path, text } of pending ?? [])
          if (written++ < done) writeFileSync(join(folder.dir, path), text)
        if (pending) throw new Error('killed')
      },
    }
    const save = { record: record(2), files: changesTo('two') }
    expect(() => openSaveJournal(folder.dir, stopped, '..').save('a', save)).toThrow('killed')
  }

  test('is finished when the workspace is opened', () => {
    leaveBehind()
    const journal = open()
    expect(files.map(read)).toEqual(files.map((path) => `${path} two`))
    expect(journal.record('a')).toEqual(record(2))
    // Once: what is written by hand now stays.
    writeFileSync(join(folder.dir, 'a.yaml'), 'by hand')
    open()
    expect(read('a.yaml')).toBe('by hand')
  })

  test('leaves alone what somebody wrote meanwhile, and other workspaces', () => {
    leaveBehind()
    writeFileSync(join(folder.dir, 'lib/c.js'), 'by hand')
    expect(open('../other').record('a')).toBeUndefined()
    expect(read('lib/c.js')).toBe('by hand')
    open()
    expect(files.map(read)).toEqual(['a.yaml two', 'lib/b.js two', 'by hand'])
  })
})

test('a save that cannot write one of its files changes none', () => {
  const journal = open()
  journal.save('a', { record: record(1), files: changesTo('one') })
  mkdirSync(join(folder.dir, 'taken/inside'), { recursive: true })
  const changes = [...changesTo('two'), { path: 'taken', text: 'x' }]
  expect(() => journal.save('a', { record: record(2), files: changes })).toThrow(
    expect.objectContaining({ code: 'WORKSPACE_UNWRITABLE' }),
  )
  expect(files.map(read)).toEqual(files.map((path) => `${path} one`))
  expect(open().record('a')).toEqual(record(1))
  expect(readdirSync(folder.dir).toSorted()).toEqual(['a.yaml', 'lib', 'taken'])
})
