import { describe, expect, test } from 'vitest'
import { createMask } from './masking.ts'

describe('a secret is hidden as it may stand in a text', () => {
  const urlOf = (secret: string) => new URL(`http://host/${secret}`)
  const cases: [string, (secret: string) => string][] = [
    ['as it is', (secret) => `see ${secret}.`],
    ['inside JSON', (secret) => JSON.stringify({ key: secret })],
    ['inside JSON in JSON', (secret) => JSON.stringify([JSON.stringify([secret])])],
    ['as a part of an address', (secret) => `http://host/?q=${encodeURIComponent(secret)}`],
    ['in a form', (secret) => new URLSearchParams({ q: secret }).toString()],
    ['in a path as parsers write it', (secret) => urlOf(secret).href],
    ['in a query as parsers write it', (secret) => new URL(`http://host/?q=${secret}`).href],
    ['in a path without its query', (secret) => urlOf(secret).pathname],
  ]
  test.each(cases)('%s', (_name, write) => {
    for (const secret of [
      'plain-secret',
      'sécret "of" a+b',
      'secret/one?secret=two',
      'secret\nline',
    ])
      expect(createMask([secret])(write(secret))).not.toContain('cret')
  })
})

test('half a character in a secret spoils nothing', () => {
  expect(createMask(['key-\ud800-1'])('is key-\ud800-1.')).toBe('is ••••.')
})

test('short pieces of a secret are words of their own', () => {
  expect(createMask(['abc?defghi'])('abc and http://h/abc')).toBe('abc and http://h/abc')
})
