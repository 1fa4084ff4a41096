import { createStore, useStore } from 'zustand'
import type { FileKind, FileText } from '../../gateway/contract/workspace.ts'

/** One file as it is being edited. The text on screen is the truth; `savedText` is what is on disk. */
export interface TextDocument {
  path: string
  kind: FileKind
  text: string
  savedText: string
  /** Names the content on disk that `savedText` is; null for a file that is not there any more. */
  etag: string | null
  /** Set when the file was changed by someone else while there are unsaved edits. */
  isStale: boolean
}

/** Where the cursor stands and how far a document is scrolled. 1-based. */
export interface ViewState {
  line: number
  column: number
  scrollTop: number
}

interface DocumentsState {
  /** Open documents by path. */
  documents: Record<string, TextDocument>
  views: Record<string, ViewState>
  /** Why a file could not be opened, by path. */
  failures: Record<string, string>
}

/** Texts of the open files, edits included. */
export const documentsStore = createStore<DocumentsState>(() => ({
  documents: {},
  views: {},
  failures: {},
}))

const patch = (path: string, change: (document: TextDocument) => TextDocument) =>
  documentsStore.setState((state) => {
    const document = state.documents[path]
    return document ? { documents: { ...state.documents, [path]: change(document) } } : state
  })

/** Takes a document in, edited or not. */
export const putDocument = (document: TextDocument) =>
  documentsStore.setState(({ documents, failures }) => ({
    documents: { ...documents, [document.path]: document },
    failures: omit(failures, document.path),
  }))

/** Notes why a file could not be opened. */
export const failDocument = (path: string, message: string) =>
  documentsStore.setState(({ failures }) => ({ failures: { ...failures, [path]: message } }))

/** Takes over what the user typed. */
export const editDocument = (path: string, text: string) =>
  patch(path, (document) => ({ ...document, text }))

/** Notes that `text` now is on disk; edits made meanwhile stay. */
export const markSaved = (path: string, text: string, etag: string) =>
  patch(path, (document) => ({ ...document, savedText: text, etag, isStale: false }))

/** Takes over a new content from disk; unsaved edits win and the document becomes stale. */
export const receiveDiskText = ({ path, text, etag }: FileText) =>
  patch(path, (document) =>
    isDirty(document) && document.text !== text
      ? { ...document, isStale: document.etag !== etag }
      : { ...document, text, savedText: text, etag, isStale: false },
  )

/** Throws the edits away in favour of what is on disk. */
export const acceptDiskText = ({ path, text, etag }: FileText) =>
  patch(path, (document) => ({ ...document, text, savedText: text, etag, isStale: false }))

/** Keeps the edits: the next save replaces the content named by `etag`. */
export const keepEdits = ({ path, text, etag }: FileText) =>
  patch(path, (document) => ({ ...document, savedText: text, etag, isStale: false }))

/** Forgets a document; its edits are gone. */
export const dropDocument = (path: string) =>
  documentsStore.setState(({ documents }) => ({ documents: omit(documents, path) }))

/** Forgets all documents, when another workspace is opened. */
export const dropAllDocuments = () =>
  documentsStore.setState({ documents: {}, views: {}, failures: {} })

/** Remembers cursor and scroll of a document. */
export const rememberView = (path: string, view: ViewState) =>
  documentsStore.setState(({ views }) => ({ views: { ...views, [path]: view } }))

/** True when there are edits that are not on disk. */
export const isDirty = ({ text, savedText }: TextDocument) => text !== savedText

/** Paths of all documents with unsaved edits, joined by a line feed so that it compares by value. */
export const dirtyPaths = ({ documents }: DocumentsState) =>
  Object.values(documents)
    .filter(isDirty)
    .map(({ path }) => path)
    .join('\n')

/** Re-renders when what `selector` picks from this store changes. */
export const useDocuments = <T>(selector: (state: DocumentsState) => T) =>
  useStore(documentsStore, selector)

const omit = <T>(record: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([one]) => one !== key))
