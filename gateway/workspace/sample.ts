import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the sample workspace comes from: never written to (decisions.md 34). */
const source = fileURLToPath(new URL('../../samples', import.meta.url))

/**
 * Copies the sample workspace into the user's folder the first time, and returns its place. What
 * the user changed in it stays.
 */
export function ensureSample(dataDir: string) {
  const target = join(dataDir, 'workspaces', 'sample')
  if (existsSync(target)) return target
  // Copied under another name first, so that a copy cut short is never taken for the sample.
  const unfinished = `${target}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  cpSync(source, unfinished, {
    recursive: true,
    filter: (path) => !path.endsWith('make-movies.ts') && !path.includes('.sluice'),
  })
  renameSync(unfinished, target)
  return target
}
