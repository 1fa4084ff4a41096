import type { Client } from '../client/client.ts'
import { commandOf, runCommand } from '../stores/command-list.ts'
import { dirtyPaths, useDocuments } from '../stores/documents.ts'
import { useSends, type Send } from '../stores/sends.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { StatusMark } from '../ui/status/status-mark.tsx'
import { RunTrace } from './run-trace.tsx'
import styles from './request-document.module.css'

/** What came of a document's last request: the answer, or the run as far as it got. */
export function AnswerView({ client, path }: { client: Client; path: string }) {
  const send = useSends(({ sends }) => sends[path])
  if (!send)
    return (
      <EmptyState
        icon="send"
        text="The answer appears here: body, headers, and the trace of every stage."
        keys={commandOf('run.send').keys[0]}
      />
    )
  return (
    <section className={styles.pane} aria-label="Answer">
      <UnsavedNotice />
      {send.state !== 'answered' && <Progress send={send} />}
      <div className={styles.pane}>
        <RunTrace client={client} runId={send.request.runId} />
      </div>
    </section>
  )
}

function Progress({ send: { state, blockName, message } }: { send: Send }) {
  if (state === 'running')
    return (
      <p className={styles.status}>
        <Spinner />
        Waiting for the answer to {blockName}
      </p>
    )
  return (
    <p className={styles.status} role={state === 'failed' ? 'alert' : undefined}>
      <StatusMark status={state === 'cancelled' ? 'cancelled' : 'failed'} withWord />
      {state === 'cancelled' ? `${blockName} was cancelled before an answer came` : message}
    </p>
  )
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
