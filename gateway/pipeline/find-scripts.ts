import { posix } from 'node:path'
import { changeTo } from './fixes.ts'
import { isRaw, listOf, textOf } from './raw.ts'
import type { DefinitionSources } from './definition-sources.ts'
import type { SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'

/** A script file of the workspace, or the files that a name could have meant. */
export type ScriptLookup = { path: string; text: string } | { candidates: readonly string[] }

/** The place and the script of every stage; reports script files that cannot be found. */
export function findScripts(
  stages: unknown,
  {
    document,
    report,
    file,
    resolveScript,
  }: {
    /** The pipeline's own path. */
    file: string
    document: SourceDocument
    report: Report
    resolveScript: (ref: string) => ScriptLookup
  },
): DefinitionSources['stages'] {
  return listOf(stages).map((stage, index) => {
    const range = document.locateWhole(['stages', index])
    const inline = isRaw(stage) ? textOf(stage['script']) : undefined
    const ref = isRaw(stage) ? textOf(stage['scriptRef']) : undefined
    if (inline !== undefined) {
      const path = ['stages', index, 'script']
      return { range, inline: true, script: document.scriptAt(path, inline) }
    }
    if (ref === undefined) return { range, inline: false }
    const found = resolveScript(ref)
    if ('path' in found) {
      const script = { file: found.path, line: 1, column: 1, text: found.text }
      return { range, inline: false, script }
    }
    const { candidates } = found
    const [first] = candidates
    const only = candidates.length === 1 && first ? fromFolderOf(file, first) : undefined
    report.error(
      candidates.length > 1 ? 'script-ambiguous' : 'script-not-found',
      candidates.length > 0
        ? `"${ref}" is no file; it could be ${candidates.join(' or ')}`
        : `There is no script file "${ref}" beside the pipeline or in the workspace`,
      document.locate(['stages', index, 'scriptRef']),
      only === undefined
        ? undefined
        : changeTo(only, document.rewrite(['stages', index, 'scriptRef'], only)),
    )
    return { range, inline: false }
  })
}

/** A path of the workspace as a pipeline writes it. */
const fromFolderOf = (file: string, path: string) => posix.relative(posix.dirname(file), path)
