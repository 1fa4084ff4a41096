import { useEffect, type ReactNode } from 'react'
import type { Client } from '../client/client.ts'
import { acceptDiskText, useDocuments } from '../stores/documents.ts'
import { loadDocument } from '../stores/open-file.ts'
import { overwriteDisk } from '../stores/save-document.ts'
import { notify } from '../stores/surface.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './document-frame.module.css'

/** Loads a file, says why it cannot be shown, and asks what to do when it changed on disk. */
export function DocumentFrame({
  client,
  path,
  children,
}: {
  client: Client
  path: string
  children: ReactNode
}) {
  const isLoaded = useDocuments(({ documents }) => documents[path] !== undefined)
  const isStale = useDocuments(({ documents }) => documents[path]?.isStale === true)
  const failure = useDocuments(({ failures }) => failures[path])
  useEffect(() => void loadDocument(client, path), [client, path])
  if (failure !== undefined && !isLoaded)
    return (
      <EmptyState
        icon="error"
        text={`${path} cannot be opened: ${failure}`}
        action={<Button onClick={() => void loadDocument(client, path)}>Try again</Button>}
      />
    )
  if (!isLoaded) return null
  return (
    <>
      {isStale && <StaleBanner client={client} path={path} />}
      {children}
    </>
  )
}

function StaleBanner({ client, path }: { client: Client; path: string }) {
  const attempt = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => notify(`${path} is unchanged`, String(error), 'error'))
  return (
    <div className={styles.banner} role="alert">
      <Icon name="warning" />
      <span className={styles.text}>{path} was changed on disk while you were editing it.</span>
      <Button
        onClick={attempt(async () =>
          acceptDiskText(await client.call('GET /api/workspace/file', { query: { path } })),
        )}
      >
        Reload from disk
      </Button>
      <Button onClick={attempt(() => overwriteDisk(client, path))}>Keep mine</Button>
    </div>
  )
}
