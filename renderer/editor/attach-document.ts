import type * as Monaco from './monaco.ts'
import { documentsStore, rememberView } from '../stores/documents.ts'
import { editorRequests, takeEditorRequest } from '../stores/editor-requests.ts'
import { pipelinesStore } from '../stores/pipelines.ts'
import { runsStore, selectStage } from '../stores/runs.ts'
import { noteEditorFocus, surfaceStore } from '../stores/surface.ts'

type Editor = Monaco.editor.IStandaloneCodeEditor

/** Ties an editor to its document: cursor, requests of commands, the selected stage, the way out. */
export function attachDocument(monaco: typeof Monaco, editor: Editor, path: string) {
  const endings = [
    followCursor(monaco, editor, path),
    serveRequests(editor, path),
    highlightStage(monaco, editor, path),
    letTabLeave(monaco, editor),
    noteFocus(editor, path),
  ]
  return () => {
    for (const end of endings) end()
  }
}

function followCursor(monaco: typeof Monaco, editor: Editor, path: string) {
  const view = documentsStore.getState().views[path]
  if (view) {
    editor.setPosition({ lineNumber: view.line, column: view.column })
    editor.setScrollTop(view.scrollTop, monaco.editor.ScrollType.Immediate)
  }
  const remember = () => {
    const position = editor.getPosition()
    if (position)
      rememberView(path, {
        line: position.lineNumber,
        column: position.column,
        scrollTop: editor.getScrollTop(),
      })
  }
  const listeners = [editor.onDidChangeCursorPosition(remember), editor.onDidScrollChange(remember)]
  return () => {
    for (const listener of listeners) listener.dispose()
  }
}

function serveRequests(editor: Editor, path: string) {
  const serve = () => {
    const request = takeEditorRequest(path)
    if (!request) return
    if (request.kind === 'reveal') {
      const position = { lineNumber: request.line, column: request.column }
      editor.setPosition(position)
      editor.revealPositionInCenterIfOutsideViewport(position)
      if (request.takeFocus) editor.focus()
    } else if (request.kind === 'focus') editor.focus()
    else void editor.getAction('editor.action.formatDocument')?.run()
  }
  serve()
  return editorRequests.subscribe(serve)
}

/** Marks the lines of the selected stage, and selects the stage the user's cursor goes to. */
function highlightStage(monaco: typeof Monaco, editor: Editor, path: string) {
  const marks = editor.createDecorationsCollection()
  const stages = () => pipelinesStore.getState().models[path]?.stages ?? []
  let shown: string | null = null
  const show = () => {
    const { selectedStageId } = runsStore.getState()
    const source = stages().find(({ id }) => id === selectedStageId)?.source
    const isNew = shown !== selectedStageId
    shown = selectedStageId
    if (!source) return marks.clear()
    const lastLine = source.endColumn === 1 ? source.endLine - 1 : source.endLine
    const range = new monaco.Range(source.line, 1, Math.max(source.line, lastLine), 1)
    marks.set([
      {
        range,
        options: {
          isWholeLine: true,
          className: 'stage-highlight',
          linesDecorationsClassName: 'stage-highlight-margin',
        },
      },
    ])
    if (isNew && !editor.hasTextFocus()) editor.revealRangeInCenterIfOutsideViewport(range)
  }
  show()
  const cursor = editor.onDidChangeCursorPosition(({ position, reason }) => {
    // Only a step of the user, not an edit, an undo or our own reveal.
    if (reason !== monaco.editor.CursorChangeReason.Explicit || !editor.hasTextFocus()) return
    const stage = stages().find(
      ({ source }) =>
        position.lineNumber >= source.line &&
        (position.lineNumber < source.endLine ||
          (position.lineNumber === source.endLine && source.endColumn > 1)),
    )
    if (stage && stage.id !== runsStore.getState().selectedStageId) selectStage(stage.id)
  })
  const stops = [runsStore.subscribe(show), pipelinesStore.subscribe(show), () => cursor.dispose()]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Esc, when it has nothing to close, makes the next Tab leave the editor; typing takes that back. */
function letTabLeave(monaco: typeof Monaco, editor: Editor) {
  let isLeaving = false
  const listener = editor.onKeyDown((event) => {
    if (event.keyCode === monaco.KeyCode.Escape) {
      isLeaving = true
      return
    }
    if (event.keyCode === monaco.KeyCode.Tab && isLeaving && !event.ctrlKey && !event.altKey) {
      // The browser moves the focus only when Monaco does not see the key.
      event.stopPropagation()
      editor.updateOptions({ tabFocusMode: true })
      setTimeout(() => editor.updateOptions({ tabFocusMode: false }))
    }
    if (event.keyCode !== monaco.KeyCode.Shift) isLeaving = false
  })
  return () => listener.dispose()
}

function noteFocus(editor: Editor, path: string) {
  const listeners = [
    editor.onDidFocusEditorText(() => noteEditorFocus(path)),
    editor.onDidBlurEditorText(() => noteEditorFocus(null)),
  ]
  return () => {
    for (const listener of listeners) listener.dispose()
    if (surfaceStore.getState().focusedEditor === path) noteEditorFocus(null)
  }
}
