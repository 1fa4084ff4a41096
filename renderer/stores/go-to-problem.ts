import type { Client } from '../client/client.ts'
import type { Diagnostic } from '../../gateway/contract/diagnostic.ts'
import { documentsStore } from './documents.ts'
import { askEditor } from './editor-requests.ts'
import { openFile } from './open-file.ts'
import { allProblems, pipelinesStore } from './pipelines.ts'
import { activePath } from './tabs.ts'

/** True when some file has a problem. */
export const hasProblems = () => allProblems(pipelinesStore.getState()).length > 0

/** Puts the cursor on the next (1) or previous (-1) problem after it, around the ends. */
export async function goToProblem(client: Client, by: 1 | -1) {
  const problems = allProblems(pipelinesStore.getState())
  const path = activePath() ?? ''
  const { line = 0, column = 0 } = documentsStore.getState().views[path] ?? {}
  const isBehind = ({ source }: Diagnostic) =>
    source.file.localeCompare(path) > 0 ||
    (source.file === path &&
      (source.line > line || (source.line === line && source.column > column)))
  const isBefore = ({ source }: Diagnostic) =>
    source.file.localeCompare(path) < 0 ||
    (source.file === path &&
      (source.line < line || (source.line === line && source.column < column)))
  const target =
    by === 1
      ? (problems.find(isBehind) ?? problems[0])
      : (problems.findLast(isBefore) ?? problems[problems.length - 1])
  if (target) await goToSource(client, target.source)
}

/** Opens a file at a position and puts the cursor there. */
export async function goToSource(
  client: Client,
  { file, line, column }: { file: string; line: number; column: number },
) {
  await openFile(client, file)
  askEditor({ kind: 'reveal', path: file, line, column, takeFocus: true })
}
