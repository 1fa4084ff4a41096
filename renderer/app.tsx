import { lazy, Suspense } from 'react'
import type { Client } from './client/client.ts'
import { useDocuments } from './stores/documents.ts'
import type { Tab } from './stores/tabs.ts'
import { Announcer } from './views/announcer.tsx'
import { AnswerView } from './views/answer-view.tsx'
import { Dialogs } from './views/dialogs.tsx'
import { DocumentFrame } from './views/document-frame.tsx'
import { HomeView } from './views/home-view.tsx'
import { Palette } from './views/palette.tsx'
import { PipelineView } from './views/pipeline-view.tsx'
import { RequestView } from './views/request-view.tsx'
import { RunView } from './views/run-view.tsx'
import { Workbench } from './views/workbench.tsx'
import { RunTrace } from './run-trace.tsx'

// The editor is most of the program's bytes; Home is there before it.
const TextEditor = lazy(async () => ({
  default: (await import('./editor/text-editor.tsx')).TextEditor,
}))

/** The workbench, put together: which document a tab shows and what stands inside it. */
export function App({ client }: { client: Client }) {
  const renderTab = ({ kind, target }: Tab) => {
    if (kind === 'home') return <HomeView client={client} />
    if (kind === 'run')
      return (
        <RunView
          key={target}
          client={client}
          runId={target}
          trace={<RunTrace client={client} runId={target} />}
        />
      )
    return (
      <DocumentFrame key={target} client={client} path={target}>
        <FileDocument client={client} path={target} />
      </DocumentFrame>
    )
  }
  return (
    <>
      <Workbench client={client} renderTab={renderTab} />
      <Palette client={client} />
      <Dialogs client={client} />
      <Announcer />
    </>
  )
}

function FileDocument({ client, path }: { client: Client; path: string }) {
  const kind = useDocuments(({ documents }) => documents[path]?.kind)
  const editor = (
    <Suspense fallback={null}>
      <TextEditor client={client} path={path} />
    </Suspense>
  )
  if (kind === 'pipeline') return <PipelineView path={path} editor={editor} graph={<p>graph</p>} />
  if (kind === 'request')
    return (
      <RequestView
        path={path}
        editor={editor}
        answer={
          <AnswerView
            path={path}
            trace={null}
            renderAnswer={({ request }) => <RunTrace client={client} runId={request.runId} />}
          />
        }
      />
    )
  return editor
}
