import { createHash, randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import type { FileText } from '../contract/workspace.ts'
import { errors } from '../errors.ts'

const MAX_TEXT_BYTES = 20 * 1024 * 1024

/** Names a content; equal texts have equal etags. */
export const etagOf = (text: string | Buffer) =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** @throws {GatewayError} NOT_FOUND, BODY_TOO_LARGE above 20 MB, FORBIDDEN outside the workspace. */
export async function readText(root: string, path: string): Promise<FileText> {
  const file = await inside(root, path)
  const info = await lstat(file).catch(() => undefined)
  if (!info?.isFile())
    throw errors.notFound(`There is no file "${path}" in the workspace; it may have been moved`)
  if (info.size > MAX_TEXT_BYTES)
    throw errors.bodyTooLarge(`"${path}" has more than 20 MB, which is too much for an editor`)
  const text = await readFile(file, 'utf8')
  return { path, text, etag: etagOf(text) }
}

/**
 * Writes a file as a whole: temporary file, fsync, rename. `etag` names the content it was read
 * with, null a file that must not exist yet.
 * @throws {GatewayError} FILE_CHANGED when the file on disk is another one by now.
 */
export async function writeText(
  root: string,
  { path, text, etag }: Omit<FileText, 'etag'> & { etag: string | null },
) {
  const file = await inside(root, path)
  const current = await readFile(file, 'utf8').catch(() => null)
  const found = current === null ? null : etagOf(current)
  if (found !== etag)
    throw errors.fileChanged(
      found === null
        ? `"${path}" was deleted on disk; save it as a new file or close it`
        : `"${path}" was changed on disk meanwhile; reload it or compare before saving`,
    )
  await mkdir(dirname(file), { recursive: true })
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    const handle = await open(temporary, 'wx')
    await handle.writeFile(text)
    await handle.sync()
    await handle.close()
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
  return { path, etag: etagOf(text) }
}

/** The file's full path, with links looked through: a workspace may not reach out of itself. */
async function inside(root: string, path: string) {
  const base = await realpath(root)
  const full = normalize(join(base, path))
  const parent = await nearestReal(dirname(full))
  const target = await realpath(full).catch(() => full)
  const ok = [full, parent, target].every((one) => one === base || one.startsWith(base + sep))
  if (!ok || path.includes('\0')) throw errors.forbidden(`"${path}" lies outside the workspace`)
  return full
}

async function nearestReal(folder: string): Promise<string> {
  return realpath(folder).catch(() => nearestReal(dirname(folder)))
}
