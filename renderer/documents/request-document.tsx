import type { ReactNode } from 'react'
import { commandOf, runCommand } from '../stores/command-list.ts'
import { useDocuments } from '../stores/documents.ts'
import { blockAt, parseRequestDocument } from '../stores/request-document.ts'
import { useSends } from '../stores/sends.ts'
import { markDone, rememberLayout, useSettings } from '../stores/settings.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { formatDuration } from '../ui/quantity/format-duration.ts'
import { Split } from '../ui/split.tsx'
import { Toolbar } from '../ui/toolbar.tsx'
import styles from './request-document.module.css'
import { useElapsed } from './use-elapsed.ts'

/** A request document: the text above, what came of the last request below. */
export function RequestDocument({
  path,
  editor,
  answer,
}: {
  path: string
  editor: ReactNode
  answer: ReactNode
}) {
  const layout = useSettings(({ layouts }) => layouts['request'])
  return (
    <div className={styles.pane}>
      <RequestBar path={path} />
      <SendHint />
      <Split
        splitId="request"
        direction="vertical"
        layout={layout}
        onLayout={(sizes) => rememberLayout('request', sizes)}
        panes={[
          { paneId: 'request text', defaultSize: '34%', minSize: 80, content: editor },
          { paneId: 'answer', defaultSize: '66%', minSize: 80, content: answer },
        ]}
      />
    </div>
  )
}

/** The request at the cursor, with Send; Cancel and the time so far while it is in flight. */
function RequestBar({ path }: { path: string }) {
  const text = useDocuments(({ documents }) => documents[path]?.text ?? '')
  const line = useDocuments(({ views }) => views[path]?.line ?? 1)
  const send = useSends(({ sends }) => sends[path])
  const block = blockAt(parseRequestDocument(text).blocks, line)
  const isRunning = send?.state === 'running'
  const elapsed = useElapsed(isRunning ? send.startTime : undefined)
  const shown = isRunning ? send.request : block
  return (
    <Toolbar label="Request">
      <span className={styles.method}>{shown?.method}</span>
      <span className={styles.path} title={shown?.path}>
        {shown?.path ?? 'Write a request such as GET /movies/_search'}
      </span>
      {isRunning ? (
        <Button
          className={styles.send}
          icon="debug-stop"
          data-testid="cancel"
          onClick={() => runCommand('run.cancel')}
        >
          Cancel <span className="tabular">{formatDuration(elapsed)}</span>
        </Button>
      ) : (
        <Button
          className={styles.send}
          variant="primary"
          icon="play"
          data-testid="send"
          title={commandOf('run.send').keys[0]}
          onClick={() => runCommand('run.send')}
        >
          Send
        </Button>
      )}
    </Toolbar>
  )
}

/** Points a newcomer at Send, until it was used or put away. */
function SendHint() {
  const isDone = useSettings(({ done }) => done.includes('send') || done.includes('hint.send'))
  if (isDone) return null
  return (
    <p className={styles.hint} data-testid="send-hint">
      <Icon name="lightbulb" />
      <span className={styles.hintText}>
        Press <Kbd keys={commandOf('run.send').keys[0] ?? ''} /> to send the request at the cursor.
      </span>
      <IconButton icon="close" label="Dismiss hint" onClick={() => markDone('hint.send')} />
    </p>
  )
}
