import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

interface BuilderConfig {
  asar: boolean
  electronFuses: Record<string, boolean>
}

const file = new URL('../../electron-builder.yml', import.meta.url)
const config = parse(readFileSync(file, 'utf8')) as BuilderConfig

test('a packaged Electron runs nothing but our archive', () => {
  expect(config.asar).toBe(true)
  expect(config.electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  })
})
