import { beforeEach, expect, test } from 'vitest'
import {
  acceptDiskText,
  dirtyPaths,
  documentsStore,
  dropAllDocuments,
  editDocument,
  markSaved,
  putDocument,
  receiveDiskText,
} from './documents.ts'

const path = 'a.yaml'
const document = () => documentsStore.getState().documents[path]

beforeEach(() => {
  dropAllDocuments()
  putDocument({ path, kind: 'pipeline', text: 'old', savedText: 'old', etag: '1', isStale: false })
})

test('a text on disk that changes under unsaved edits makes the document stale and keeps them', () => {
  editDocument(path, 'mine')
  receiveDiskText({ path, text: 'theirs', etag: '2' })
  expect(document()).toMatchObject({ text: 'mine', isStale: true, etag: '1' })
  acceptDiskText({ path, text: 'theirs', etag: '2' })
  expect(document()).toMatchObject({ text: 'theirs', isStale: false, etag: '2' })
})

test('without edits the text on disk is taken over', () => {
  receiveDiskText({ path, text: 'theirs', etag: '2' })
  expect(document()).toMatchObject({ text: 'theirs', savedText: 'theirs', isStale: false })
})

test('what was typed while a save was under way stays unsaved', () => {
  editDocument(path, 'first')
  editDocument(path, 'second')
  markSaved(path, 'first', '2')
  expect(document()).toMatchObject({ text: 'second', savedText: 'first', etag: '2' })
  expect(dirtyPaths(documentsStore.getState())).toBe(path)
})
