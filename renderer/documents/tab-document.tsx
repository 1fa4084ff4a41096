import { lazy, Suspense } from 'react'
import type { Client } from '../client/client.ts'
import { useDocuments } from '../stores/documents.ts'
import type { Host } from '../host/host.ts'
import type { Tab } from '../stores/tabs.ts'
import { HomeView } from '../views/home-view.tsx'
import { AnswerView } from './answer-view.tsx'
import { DocumentFrame } from './document-frame.tsx'
import { PipelineDocument } from './pipeline-document.tsx'
import { RequestDocument } from './request-document.tsx'
import { RunDocument } from './run-document.tsx'

// The editor is most of the program's bytes; Home is there before it.
const loadEditor = () => import('../editor/text-editor.tsx')
const TextEditor = lazy(async () => ({ default: (await loadEditor()).TextEditor }))

/** Fetches the editor while nothing else is to be done. */
export const preloadEditor = () => requestIdleCallback(() => void loadEditor(), { timeout: 2000 })

/** What a tab shows. */
export function TabDocument({
  client,
  host,
  tab: { kind, target },
}: {
  client: Client
  host: Host
  tab: Tab
}) {
  if (kind === 'home') return <HomeView client={client} />
  if (kind === 'run') return <RunDocument key={target} client={client} runId={target} />
  return (
    <DocumentFrame key={target} client={client} path={target}>
      <FileDocument client={client} host={host} path={target} />
    </DocumentFrame>
  )
}

function FileDocument({ client, host, path }: { client: Client; host: Host; path: string }) {
  const kind = useDocuments(({ documents }) => documents[path]?.kind)
  const editor = (
    <Suspense fallback={null}>
      <TextEditor client={client} path={path} />
    </Suspense>
  )
  if (kind === 'pipeline') return <PipelineDocument path={path} editor={editor} />
  if (kind === 'request')
    return (
      <RequestDocument
        path={path}
        editor={editor}
        answer={<AnswerView client={client} host={host} path={path} />}
      />
    )
  return editor
}
