import { expect, test } from 'vitest'
import { mask, maskSecretsOf } from './log.ts'

test('a secret is hidden as it is, inside JSON and inside an address', () => {
  const secret = 'line one\n"two" & three'
  maskSecretsOf(() => [secret, 'abc'])
  const texts = [
    secret,
    JSON.stringify({ key: secret }),
    `http://x/?key=${encodeURIComponent(secret)}`,
  ]
  expect(texts.map(mask)).toEqual(['••••', '{"key":"••••"}', 'http://x/?key=••••'])
  maskSecretsOf(() => [])
})

test('a text without secrets is the very same text', () => {
  maskSecretsOf(() => ['correct horse'])
  expect(mask('battery staple')).toBe('battery staple')
  maskSecretsOf(() => [])
})
