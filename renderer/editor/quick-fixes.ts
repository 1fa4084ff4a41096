import type { Diagnostic } from '../../gateway/contract/diagnostic.ts'
import type * as Monaco from './monaco.ts'
import { allProblems, pipelinesStore } from '../stores/pipelines.ts'
import { pathOf } from './models.ts'

/** Offers the fixes that the gateway gives along with problems, at the marks of these problems. */
export function registerQuickFixes(monaco: typeof Monaco) {
  monaco.languages.registerCodeActionProvider(['yaml', 'json'], {
    provideCodeActions(model, _range, { markers }) {
      const path = pathOf(model)
      const problems = allProblems(pipelinesStore.getState())
      const actions = markers.flatMap((marker): Monaco.languages.CodeAction[] => {
        const fix = problems.find((one) => isMarkOf(marker, one, path))?.fix
        if (!fix) return []
        const edits = fix.edits.map(({ range, text }) => ({
          resource: model.uri,
          versionId: model.getVersionId(),
          textEdit: {
            range: new monaco.Range(range.line, range.column, range.endLine, range.endColumn),
            text,
          },
        }))
        return [
          {
            title: fix.title,
            kind: 'quickfix',
            diagnostics: [marker],
            isPreferred: true,
            edit: { edits },
          },
        ]
      })
      return { actions, dispose: () => undefined }
    },
  })
}

/**
 * Marks move along with the text, problems keep the place they were found at: where the two differ
 * the text has changed since, and the fix would hit the wrong place.
 */
const isMarkOf = (marker: Monaco.editor.IMarkerData, { code, source }: Diagnostic, path: string) =>
  marker.code === code &&
  source.file === path &&
  marker.startLineNumber === source.line &&
  marker.startColumn === source.column &&
  marker.endLineNumber === source.endLine &&
  marker.endColumn === source.endColumn
