import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readText, writeText } from './files.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-files-'))
const outside = mkdtempSync(join(tmpdir(), 'sluice-outside-'))
writeFileSync(join(outside, 'secret.txt'), 'secret')
mkdirSync(join(root, 'pipelines'))
afterAll(() => {
  rmSync(root, { recursive: true })
  rmSync(outside, { recursive: true })
})

test('a new file is written, read back and overwritten with its etag', async () => {
  const path = 'pipelines/new/a.yaml'
  const first = await writeText(root, { path, text: 'a: 1\n', etag: null })
  expect(await readText(root, path)).toEqual({ path, text: 'a: 1\n', etag: first.etag })
  await writeText(root, { path, text: 'a: 2\n', etag: first.etag })
  expect(readFileSync(join(root, path), 'utf8')).toBe('a: 2\n')
})

test('a file that changed on disk is not overwritten', async () => {
  writeFileSync(join(root, 'b.yaml'), 'mine')
  const { etag } = await readText(root, 'b.yaml')
  writeFileSync(join(root, 'b.yaml'), 'theirs')
  const write = writeText(root, { path: 'b.yaml', text: 'mine again', etag })
  await expect(write).rejects.toMatchObject({ code: 'FILE_CHANGED' })
  expect(readFileSync(join(root, 'b.yaml'), 'utf8')).toBe('theirs')
})

test('a file that exists is not taken for a new one', async () => {
  writeFileSync(join(root, 'c.yaml'), 'there')
  const write = writeText(root, { path: 'c.yaml', text: 'new', etag: null })
  await expect(write).rejects.toMatchObject({ code: 'FILE_CHANGED' })
})

test.each(['../secret.txt', '/etc/passwd/../../x/../..', 'pipelines/../../x', 'link/secret.txt'])(
  '%s does not lead out of the workspace',
  async (path) => {
    symlinkSync(outside, join(root, 'link'), 'dir')
    await expect(readText(root, path)).rejects.toMatchObject({
      code: expect.stringMatching(/FORBIDDEN|NOT_FOUND/),
    })
    const write = writeText(root, { path, text: 'x', etag: null })
    await expect(write).rejects.toThrow()
    rmSync(join(root, 'link'))
  },
)

test('a workspace that is gone is told', async () => {
  const write = writeText(join(root, 'gone'), { path: 'a.yaml', text: 'new', etag: null })
  await expect(write).rejects.toMatchObject({ code: 'WORKSPACE_UNREADABLE' })
})
