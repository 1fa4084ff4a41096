import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { lstat, readFile, realpath } from 'node:fs/promises'
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
 * Writes a file as a whole. `etag` names the content it was read with, null a file that must not
 * exist yet.
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
  replaceFile(file, text)
  return { path, etag: etagOf(text) }
}

/**
 * Puts a text in the place of a file, or removes the file when it is null. Temporary file, fsync,
 * rename, fsync of the folder: readers see the old text or the new one, also after a crash. Done
 * when it returns, so that nothing of ours comes between the files of one save.
 */
export function replaceFile(file: string, text: string | null) {
  if (text === null) rmSync(file, { force: true })
  else {
    mkdirSync(dirname(file), { recursive: true })
    const temporary = `${file}.${process.pid}.${randomUUID()}.tmp`
    try {
      writeFileSync(temporary, text, { flag: 'wx', flush: true })
      renameSync(temporary, file)
    } catch (problem) {
      rmSync(temporary, { force: true })
      throw problem
    }
  }
  syncFolder(dirname(file))
}

/** Makes a rename durable. Windows knows no such thing: its renames are journalled. */
function syncFolder(folder: string) {
  if (process.platform === 'win32' || !existsSync(folder)) return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** The temporary files of `replaceFile`; they name the process that writes them. */
const TEMPORARY = /\.(\d+)\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/

/** Whether a file is one that is being written, or was when its process was killed. */
export const isTemporary = (path: string) => TEMPORARY.test(path)

/** Removes a temporary file when the process that wrote it was killed. */
export function removeLeftover(file: string) {
  const pid = Number(TEMPORARY.exec(file)?.[1])
  // One of our own number is from a former life: none is there while another file is looked at.
  if (pid === process.pid || !isAlive(pid)) rmSync(file, { force: true })
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (problem) {
    return problem instanceof Error && 'code' in problem && problem.code !== 'ESRCH'
  }
}

/**
 * The file's full path, with links looked through: a workspace may not reach out of itself.
 * @throws {GatewayError} FORBIDDEN, WORKSPACE_UNREADABLE when the workspace is gone.
 */
export async function inside(root: string, path: string) {
  const base = await realpath(root).catch((cause: unknown) => {
    throw errors.workspaceUnreadable(
      `The folder "${root}" of the workspace is gone; put it back and open it again`,
      { cause },
    )
  })
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
