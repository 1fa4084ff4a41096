import type * as Monaco from './monaco.ts'
import { documentsStore, editDocument } from '../stores/documents.ts'
import { allProblems, pipelinesStore } from '../stores/pipelines.ts'
import { fileTab, keepTab } from '../stores/tabs.ts'
import { REQUEST_LANGUAGE } from './request-language.ts'

const LANGUAGES: Record<string, string> = {
  yaml: 'yaml',
  yml: 'yaml',
  js: 'javascript',
  mjs: 'javascript',
  json: 'json',
  http: REQUEST_LANGUAGE,
}
const ROOT = '/workspace/'

/** Path in the workspace of a model's file. */
export const pathOf = (model: Monaco.editor.ITextModel) => model.uri.path.slice(ROOT.length)

/**
 * One text model a document, kept while the document is open, so that undo survives a change of
 * tabs. Typing goes to the store; what the store gets from elsewhere goes to the model as an edit.
 */
export function createModels(monaco: typeof Monaco) {
  const models = new Map<string, Monaco.editor.ITextModel>()
  const severities = {
    error: monaco.MarkerSeverity.Error,
    warning: monaco.MarkerSeverity.Warning,
    information: monaco.MarkerSeverity.Info,
  }

  function modelFor(path: string, text: string) {
    const existing = models.get(path)
    if (existing) return existing
    const extension = path.slice(path.lastIndexOf('.') + 1)
    const uri = monaco.Uri.file(ROOT + path)
    const model = monaco.editor.createModel(text, LANGUAGES[extension] ?? 'plaintext', uri)
    model.updateOptions({
      tabSize: 2,
      insertSpaces: true,
      bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
    })
    model.onDidChangeContent(() => {
      editDocument(path, model.getValue(monaco.editor.EndOfLinePreference.LF))
      keepTab(fileTab(path).tabId)
    })
    models.set(path, model)
    showProblems(model)
    return model
  }

  function showProblems(model: Monaco.editor.ITextModel) {
    const path = pathOf(model)
    const markers = allProblems(pipelinesStore.getState())
      .filter(({ source }) => source.file === path)
      .map(({ severity, message, code, source }) => ({
        severity: severities[severity],
        message,
        code,
        source: 'sluice',
        startLineNumber: source.line,
        startColumn: source.column,
        endLineNumber: source.endLine,
        endColumn: source.endColumn,
      }))
    monaco.editor.setModelMarkers(model, 'sluice', markers)
  }

  documentsStore.subscribe(({ documents }, before) => {
    for (const [path, model] of models) {
      const document = documents[path]
      if (!document) {
        models.delete(path)
        model.dispose()
      } else if (
        document !== before.documents[path] &&
        document.text !== model.getValue(monaco.editor.EndOfLinePreference.LF)
      ) {
        const whole = { range: model.getFullModelRange(), text: document.text }
        model.pushEditOperations([], [whole], () => null)
      }
    }
  })
  pipelinesStore.subscribe((state, before) => {
    if (state.diagnostics !== before.diagnostics)
      for (const model of models.values()) showProblems(model)
  })

  return { modelFor }
}
