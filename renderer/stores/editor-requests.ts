import { createStore } from 'zustand'

/** Something an editor is asked to do; commands cannot reach it otherwise. */
export type EditorRequest =
  | { kind: 'reveal'; path: string; line: number; column: number; takeFocus: boolean }
  | { kind: 'format'; path: string }
  | { kind: 'focus'; path: string }

interface EditorRequestsState {
  /** Waits here until the editor of that document takes it; it may still be loading. */
  pending: EditorRequest | null
}

/** The one request that is waiting; a newer one takes its place. */
export const editorRequests = createStore<EditorRequestsState>(() => ({ pending: null }))

/** Asks the editor of a document for something. */
export const askEditor = (pending: EditorRequest) => editorRequests.setState({ pending })

/** Gives out the request that waits for the editor of `path`, once. */
export function takeEditorRequest(path: string): EditorRequest | null {
  const { pending } = editorRequests.getState()
  if (pending?.path !== path) return null
  editorRequests.setState({ pending: null })
  return pending
}
