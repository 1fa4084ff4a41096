import { expect, test } from 'vitest'
import { kindOf } from './kind-of.ts'

const POST = { method: 'POST', path: '/movies/x' }

test.each([
  ['a declarative route', { ...POST, category: 'declarative' }, 'search'],
  [
    'a declarative suggestion',
    { ...POST, category: 'declarative', queryType: 'suggestion' },
    'suggestion',
  ],
  ['the suggestions category', { ...POST, category: 'suggestions' }, 'suggestion'],
  ['the search category', { ...POST, category: 'search' }, 'search'],
  ['an ACL that searches', { ...POST, category: 'docs', acl: 'search' }, 'search'],
  ['a bulk request', { ...POST, category: 'docs', acl: 'bulk' }, 'index'],
  ['documents without an ACL', { ...POST, category: 'docs' }, 'index'],
  ['reading a document', { method: 'GET', path: '/movies/_doc/1', category: 'docs' }, undefined],
  ['a DELETE', { method: 'DELETE', path: '/movies/_doc/1', category: 'docs' }, 'delete'],
  ['delete by query', { ...POST, category: 'docs', acl: 'delete_by_query' }, 'delete'],
  ['a path that searches', { method: 'POST', path: '/movies/_search?q=a' }, 'search'],
  ['a path that writes', { method: 'PUT', path: '/movies/_doc/1' }, 'index'],
  ['any other path', POST, undefined],
])('%s', (_name, facts, kind) => {
  expect(kindOf(facts)).toBe(kind)
})
