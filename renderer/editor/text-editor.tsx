import { useEffect, useRef } from 'react'
import type { Client } from '../client/client.ts'
import { documentsStore } from '../stores/documents.ts'
import { attachDocument } from './attach-document.ts'
import { createEditorKit, type EditorKit } from './editor-kit.ts'
import styles from './text-editor.module.css'

let kit: EditorKit | undefined

/** Editor of one open document. It shows what the store holds and tells it what is typed. */
export function TextEditor({ client, path }: { client: Client; path: string }) {
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const document = documentsStore.getState().documents[path]
    if (!place.current || !document) return undefined
    kit ??= createEditorKit(client)
    const { monaco, models } = kit
    const editor = monaco.editor.create(place.current, {
      model: models.modelFor(path, document.text),
      ariaLabel: `${path}. Control M: Tab leaves the editor`,
      accessibilitySupport: 'auto',
      automaticLayout: true,
      fontFamily: "'JetBrains Mono Variable', monospace",
      fontSize: 12.5,
      lineHeight: 19,
      fontLigatures: false,
      minimap: { enabled: false },
      scrollBeyondLastLine: false,
      renderLineHighlight: 'line',
      renderLineHighlightOnlyWhenFocus: true,
      lineNumbersMinChars: 3,
      lineDecorationsWidth: 12,
      glyphMargin: false,
      folding: true,
      padding: { top: 8, bottom: 8 },
      overviewRulerLanes: 2,
      overviewRulerBorder: false,
      hideCursorInOverviewRuler: true,
      scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
      fixedOverflowWidgets: true,
      quickSuggestions: { other: true, comments: false, strings: true },
      wordBasedSuggestions: 'off',
      acceptSuggestionOnEnter: 'on',
      suggestSelection: 'first',
      suggest: { selectionMode: 'always' },
      inlineSuggest: { enabled: false },
      dropIntoEditor: { enabled: false },
      bracketPairColorization: { enabled: false },
      unicodeHighlight: { ambiguousCharacters: false, nonBasicASCII: false },
      largeFileOptimizations: true,
    })
    const detach = attachDocument(monaco, editor, path)
    return () => {
      detach()
      editor.dispose()
    }
  }, [client, path])

  return (
    <div className={styles.frame}>
      <div ref={place} className={styles.editor} data-testid="editor" data-path={path} />
    </div>
  )
}
