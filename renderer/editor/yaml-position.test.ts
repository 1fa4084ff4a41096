import { expect, test } from 'vitest'
import { siblingValue, yamlPosition } from './yaml-position.ts'

const TEXT = `id: movies
routes:
  - path: /movies/_declarative
    method: POST
stages:
  # first
  - id: auth
    use: authorization
  - id: rank
    use: 
    inputs:
      data: 1
      
  - 
    needs: [auth]
`
const at = (line: number, column: number) => yamlPosition(TEXT, line, column)

test('at the root the path is empty and the other keys are siblings', () => {
  expect(yamlPosition(`${TEXT}de`, 16, 3)).toEqual({
    path: [],
    word: 'de',
    siblings: ['stages', 'routes', 'id'],
  })
})

test('behind a colon the key is told, with the place in the list', () => {
  expect(at(10, 10)).toEqual({
    path: ['stages', 1],
    key: 'use',
    word: '',
    siblings: ['id', 'inputs'],
  })
  expect(at(4, 14)).toMatchObject({ path: ['routes', 0], key: 'method', siblings: ['path'] })
})

test('an empty line belongs to the mapping of its column', () => {
  expect(at(13, 7)).toMatchObject({ path: ['stages', 1, 'inputs'], siblings: ['data'] })
})

test('behind a dash a new entry begins', () => {
  expect(at(14, 5)).toMatchObject({ path: ['stages', 2], siblings: ['needs'] })
})

test('a list at the indentation of its key is still its list', () => {
  expect(yamlPosition('stages:\n- id: a\n  us\n', 3, 5)).toMatchObject({
    path: ['stages', 0],
    siblings: ['id'],
  })
})

test('gives the value of a key beside the position', () => {
  expect(siblingValue(TEXT, 7, 4, 'use')).toBe('authorization')
  expect(siblingValue(TEXT, 9, 4, 'use')).toBe('')
})
