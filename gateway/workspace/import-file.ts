import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Diagnostic } from '../contract/diagnostic.ts'
import { errors } from '../errors.ts'
import { importPipeline, type Imported } from '../pipeline/exchange/import-pipeline.ts'
import type { ScriptLookup } from '../pipeline/find-scripts.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import { inside, replaceFile } from './files.ts'
import { readGivenFile } from './read-given-file.ts'

interface Services {
  stages: readonly StageKind[]
  planned: readonly string[]
}

/**
 * Writes a pipeline from elsewhere, and its scripts, into a workspace: all files or none.
 * @throws {GatewayError} WORKSPACE_UNREADABLE, NOT_FOUND, REQUEST_INVALID when it is no text, CONFLICT
 * when a file is there and differs.
 */
export async function importFile(
  { file, workspaceDir, force }: { file: string; workspaceDir: string; force: boolean },
  services: Services,
): Promise<{ written: string[]; diagnostics: Diagnostic[] }> {
  const root = resolve(workspaceDir)
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw errors.workspaceUnreadable(
      `"${workspaceDir}" is no folder; name the folder of a workspace`,
    )
  const full = resolve(file)
  const { files, diagnostics }: Imported = importPipeline(
    {
      path: file === '-' ? '' : full.split(sep).join('/'),
      text: readGivenFile(file),
      resolveScript: (ref) => besides(file === '-' ? undefined : dirname(full), ref),
    },
    services,
  )
  if (!files) return { written: [], diagnostics }
  const targets: { path: string; target: string; text: string; before: string | null }[] = []
  for (const { path, text } of files) {
    const target = await inside(root, path)
    targets.push({
      path,
      target,
      text,
      before: existsSync(target) ? readFileSync(target, 'utf8') : null,
    })
  }
  const differing = targets.filter(({ text, before }) => before !== null && before !== text)
  if (differing.length > 0 && !force)
    throw errors.conflict(
      `${differing.map(({ path }) => `"${path}"`).join(', ')} would be overwritten; say --force to do so`,
    )
  writeAll(targets)
  return { written: files.map(({ path }) => path), diagnostics }
}

/** Scripts go first, so that nobody sees the pipeline without them. */
function writeAll(targets: readonly { target: string; text: string; before: string | null }[]) {
  const changed: { target: string; before: string | null }[] = []
  try {
    for (const { target, text, before } of targets.toReversed()) {
      changed.push({ target, before })
      replaceFile(target, text)
    }
  } catch (cause) {
    for (const { target, before } of changed) replaceFile(target, before)
    const why = cause instanceof Error ? cause.message : String(cause)
    throw errors.workspaceUnwritable(`The pipeline was not imported: ${why}`, { cause })
  }
}

/** A script by its path, its base name, or that with the ending (domain, section 1.4). */
function besides(folder: string | undefined, ref: string): ScriptLookup {
  const wanted = ref.replace(/^\/+/, './')
  const names = [wanted, `${wanted}.js`, basename(ref), `${basename(ref)}.js`]
  for (const name of folder === undefined ? [] : names) {
    const path = join(folder ?? '', name)
    // Only scripts: a pipeline from elsewhere must not copy other files of this machine.
    if (/\.m?js$/.test(path) && isFile(path)) return { path, text: readFileSync(path, 'utf8') }
  }
  return { candidates: [] }
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
