import { useMemo } from 'react'
import type { Client } from '../client/client.ts'
import type { Diagnostic } from '../../gateway/contract/diagnostic.ts'
import type { WorkspaceFile } from '../../gateway/contract/workspace.ts'
import { useApp } from '../stores/app.ts'
import { runCommand } from '../stores/command-list.ts'
import { dirtyPaths, useDocuments } from '../stores/documents.ts'
import { openFile } from '../stores/open-file.ts'
import { allProblems, usePipelines } from '../stores/pipelines.ts'
import { activePath, useTabs } from '../stores/tabs.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Tree } from '../ui/tree.tsx'
import { toFileTree } from './file-tree.ts'
import { StageOutline } from './stage-outline.tsx'
import styles from './side-view.module.css'

const NO_FILES: readonly WorkspaceFile[] = []

/** Files of the workspace with their problems and unsaved marks, and the stages of a pipeline. */
export function ExplorerView({ client }: { client: Client }) {
  const name = useApp(({ state }) => state?.workspace?.name)
  const files = useApp(({ state }) => state?.workspace?.files ?? NO_FILES)
  const path = useTabs((state) => activePath(state))
  const dirty = useDocuments(dirtyPaths)
  const diagnostics = usePipelines((state) => state.diagnostics)
  const nodes = useMemo(() => {
    const problems = allProblems({ diagnostics, models: {} })
    const unsaved = new Set(dirty.split('\n'))
    return toFileTree(files, (file) => (
      <FileMarks problems={problems} path={file.path} isDirty={unsaved.has(file.path)} />
    ))
  }, [files, dirty, diagnostics])
  return (
    <div className={styles.view}>
      <div className={styles.section}>
        <h2 className={styles.title}>{name}</h2>
        <div className={styles.scroll}>
          {files.length === 0 ? (
            <NoFiles />
          ) : (
            <Tree
              label="Files"
              nodes={nodes}
              selectedId={path}
              onSelect={(one) => void openFile(client, one, { isPreview: true })}
              onActivate={(one) => void openFile(client, one, { takeFocus: true })}
            />
          )}
        </div>
      </div>
      <StageOutline client={client} />
    </div>
  )
}

const NoFiles = () => (
  <EmptyState
    icon="folder"
    text="Pipelines, scripts and requests of this folder appear here; it has none yet."
    action={
      <Button onClick={() => runCommand('file.openSample')}>Open the sample workspace</Button>
    }
  />
)

function FileMarks({
  problems,
  path,
  isDirty,
}: {
  problems: readonly Diagnostic[]
  path: string
  isDirty: boolean
}) {
  const own = problems.filter(({ source }) => source.file === path)
  const errors = own.filter(({ severity }) => severity === 'error').length
  const warnings = own.filter(({ severity }) => severity === 'warning').length
  return (
    <>
      {errors > 0 && (
        <span className={styles.errors} title={`${errors} errors`}>
          {errors}
          <span className="visually-hidden"> errors</span>
        </span>
      )}
      {errors === 0 && warnings > 0 && (
        <span className={styles.warnings} title={`${warnings} warnings`}>
          {warnings}
          <span className="visually-hidden"> warnings</span>
        </span>
      )}
      {isDirty && (
        <span className={styles.dot} title="Unsaved changes">
          <span className="visually-hidden">unsaved</span>
        </span>
      )}
    </>
  )
}
