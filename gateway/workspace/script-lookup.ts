import { basename, dirname, posix } from 'node:path'
import type { ScriptLookup } from '../pipeline/find-scripts.ts'
import { nearestName } from '../pipeline/nearest.ts'

/**
 * Finds the file behind a `scriptRef` (decisions.md 34): beside the pipeline, in the folder of the
 * pipeline's name, then anywhere in the workspace by a base name that occurs once. The ending may
 * be missing. All paths are relative to the workspace.
 */
export function findScript(
  pipelinePath: string,
  ref: string,
  files: { paths: readonly string[]; read(path: string): string | undefined },
): ScriptLookup {
  const folder = dirname(pipelinePath)
  const name = basename(pipelinePath).replace(/(\.pipeline)?\.(ya?ml|json)$/i, '')
  const wanted = ref.replace(/^\/+/, './')
  const places = [folder, posix.join(folder, name)].map((place) => posix.join(place, wanted))
  const endings = /\.m?js$/.test(ref) ? [''] : ['', '.js']
  for (const place of places)
    for (const ending of endings) {
      const found = readAt(place + ending, files)
      if (found) return found
    }
  const names = endings.map((ending) => basename(ref) + ending)
  const candidates = files.paths.filter((path) => names.includes(basename(path)))
  const [only] = candidates
  if (candidates.length > 1) return { candidates }
  return (only && readAt(only, files)) || { candidates: similar(ref, files.paths) }
}

/** Files whose name is one slip away from the one that was asked for. */
function similar(ref: string, paths: readonly string[]) {
  const name = basename(ref).replace(/\.m?js$/, '')
  const nearest = nearestName(
    name,
    paths.map((path) => basename(path).replace(/\.m?js$/, '')),
  )
  return nearest === undefined
    ? []
    : paths.filter((path) => /^(.+)\.m?js$/.exec(basename(path))?.[1] === nearest)
}

function readAt(
  path: string,
  files: { paths: readonly string[]; read(path: string): string | undefined },
) {
  // Only what the scan saw: a path that climbs out of the workspace is not among them.
  if (!files.paths.includes(path)) return undefined
  const text = files.read(path)
  return text === undefined ? undefined : { path, text }
}
