import type * as Monaco from './monaco.ts'
import { parseRequestDocument } from '../stores/request-document.ts'
import { documentsStore, rememberView } from '../stores/documents.ts'
import { runCommand } from '../stores/command-list.ts'
import { sendsStore } from '../stores/sends.ts'
import { REQUEST_LANGUAGE } from './request-language.ts'
import { pathOf } from './models.ts'

const COMMAND = 'sluice.lens'

/** Shows Send above each request, and Cancel above the one that is in flight. */
export function registerSendLens(monaco: typeof Monaco) {
  monaco.editor.registerCommand(COMMAND, (_accessor, id: string, path: string, line: number) => {
    const view = documentsStore.getState().views[path]
    rememberView(path, { column: 1, scrollTop: 0, ...view, line })
    runCommand(id)
  })
  const changed = new monaco.Emitter<Monaco.languages.CodeLensProvider>()
  const provider: Monaco.languages.CodeLensProvider = {
    onDidChange: changed.event,
    provideCodeLenses(model) {
      const path = pathOf(model)
      const send = sendsStore.getState().sends[path]
      const lenses = parseRequestDocument(model.getValue()).blocks.map(({ name, methodLine }) => {
        const isRunning = send?.state === 'running' && send.blockName === name
        return {
          range: new monaco.Range(methodLine, 1, methodLine, 1),
          command: {
            id: COMMAND,
            title: isRunning ? '$(debug-stop) Cancel' : '$(play) Send',
            arguments: [isRunning ? 'run.cancel' : 'run.send', path, methodLine],
          },
        }
      })
      return { lenses, dispose: () => undefined }
    },
  }
  monaco.languages.registerCodeLensProvider(REQUEST_LANGUAGE, provider)
  sendsStore.subscribe(() => changed.fire(provider))
}
