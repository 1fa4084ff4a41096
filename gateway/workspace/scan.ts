import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FileKind, WorkspaceFile } from '../contract/workspace.ts'
import { isTemporary } from './files.ts'

/** Folders that hold nothing an author wrote. */
const IGNORED = new Set(['node_modules', '.git', '.sluice', '.DS_Store'])
const MAX_FILES = 20_000

/** Whether a file at this path is among those that are listed. */
export const isListed = (path: string) =>
  path.split('/').every((name) => !IGNORED.has(name)) && !isTemporary(path)

/**
 * Lists a workspace's files by scanning names only, in path order. Unreadable folders are left out,
 * and so are files that are being written.
 */
export function scanFiles(
  root: string,
  onTemporary: (path: string) => void = () => undefined,
): WorkspaceFile[] {
  const found: WorkspaceFile[] = []
  const visit = (folder: string) => {
    for (const entry of listFolder(join(root, folder))) {
      if (IGNORED.has(entry.name) || found.length >= MAX_FILES) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) visit(path)
      else if (isTemporary(path)) onTemporary(path)
      else if (entry.isFile())
        found.push({ path, kind: kindOf(path), sizeBytes: sizeOf(join(root, path)) })
    }
  }
  visit('')
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function listFolder(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true })
  } catch {
    // Vanished or closed to us meanwhile: the next change event scans again.
    return []
  }
}

function sizeOf(file: string) {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** What the workbench opens a file as; told by place and ending alone. */
export function kindOf(path: string): FileKind {
  if (path === 'sluice.yaml') return 'manifest'
  if (/^pipelines\/.*\.(ya?ml|json)$/.test(path) && !path.endsWith('.layout.json'))
    return 'pipeline'
  if (path.endsWith('.http')) return 'request'
  if (/^envs\/[^/]*\.ya?ml$/.test(path)) return 'env'
  if (path.startsWith('data/')) return path.endsWith('.md') ? 'other' : 'data'
  return /\.(js|mjs)$/.test(path) ? 'script' : 'other'
}
