import { lazy, Suspense } from 'react'
import type { SendResponse } from '../../gateway/contract/exchange.ts'
import type { Client } from '../client/client.ts'
import type { Host } from '../host/host.ts'
import { commandOf, runCommand } from '../stores/command-list.ts'
import { dirtyPaths, useDocuments } from '../stores/documents.ts'
import { useRuns } from '../stores/runs.ts'
import { useSends } from '../stores/sends.ts'
import { Button } from '../ui/button.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './request-document.module.css'
import { RunTrace } from './run-trace.tsx'

const ResponsePanel = lazy(async () => ({
  default: (await import('../panels/response/response-panel.tsx')).ResponsePanel,
}))

/** What came of a document's last request: the answer, or the run as far as it got. */
export function AnswerView({ client, host, path }: { client: Client; host: Host; path: string }) {
  const send = useSends(({ sends }) => sends[path])
  const runId = send?.request.runId ?? ''
  const isTraced = useRuns(({ runs }) => runs[runId] !== undefined)
  return (
    <div className={styles.pane}>
      {send && <UnsavedNotice />}
      <ErrorBoundary key={runId} name={`The answer to ${path}`}>
        <Suspense fallback={null}>
          <ResponsePanel
            exchange={send}
            trace={isTraced ? <RunTrace client={client} runId={runId} /> : null}
            autoOpenTrace
            sendKeys={commandOf('run.send').keys[0] ?? ''}
            onCancel={() => runCommand('run.cancel')}
            onSave={(name, response) => void host.saveFile(name, ...contentOf(response))}
          />
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}

function contentOf({ body, encoding, headers }: SendResponse): [string | Uint8Array, string] {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const content =
    encoding === 'utf8' ? body : Uint8Array.from(atob(body), (char) => char.codePointAt(0) ?? 0)
  return [content, type ?? 'application/octet-stream']
}

/** Runs use the files on disk; unsaved pipelines and scripts are named so that nobody wonders. */
function UnsavedNotice() {
  const paths = useDocuments((state) =>
    dirtyPaths(state)
      .split('\n')
      .filter((path) => ['pipeline', 'script', 'env'].includes(state.documents[path]?.kind ?? ''))
      .join(', '),
  )
  if (paths === '') return null
  return (
    <p className={styles.hint}>
      <Icon name="info" />
      <span className={styles.hintText}>
        {paths}: unsaved changes take part once they are saved.
      </span>
      <Button variant="quiet" onClick={() => runCommand('file.saveAll')}>
        Save all
      </Button>
    </p>
  )
}
