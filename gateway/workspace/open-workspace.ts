import { accessSync, constants, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Diagnostic } from '../contract/diagnostic.ts'
import type { Manifest } from '../contract/manifest.ts'
import type { FileText, Workspace } from '../contract/workspace.ts'
import { errors, GatewayError } from '../errors.ts'
import { etagOf, readText, removeLeftover, writeText } from './files.ts'
import { createEnvironments, type SecretOf, toDiagnostic } from './environments.ts'
import { readManifest } from './manifest.ts'
import { scanFiles } from './scan.ts'
import { watchFolder } from './watch.ts'

/** An open folder: what is in it, and word of every change. */
export type OpenWorkspace = ReturnType<typeof openWorkspace>

interface Services {
  /** Values of secret variables; none when left out. */
  secretOf?: SecretOf
  /** Files came, went or changed; the list has been read again. */
  onFiles(paths: readonly string[]): void
}

/**
 * Opens a folder as a workspace and watches it.
 * @throws {GatewayError} WORKSPACE_UNREADABLE when it is no folder or its manifest has a mistake.
 */
export function openWorkspace(
  folder: string,
  isSample: boolean,
  { onFiles, secretOf = () => undefined }: Services,
) {
  const root = resolve(folder)
  checkReadable(root)
  let manifest: Manifest = readManifest(root)
  let files = scanFiles(root, (path) => removeLeftover(join(root, path)))
  const environments = createEnvironments(root, manifest.defaults?.environment, secretOf)
  let problem: Diagnostic | undefined

  const stopWatching = watchFolder(root, (paths) => {
    files = scanFiles(root)
    if (paths.includes('sluice.yaml')) rereadManifest()
    onFiles(paths)
  })

  /** A manifest with a mistake in it keeps its last good form: the folder stays open. */
  function rereadManifest() {
    try {
      manifest = readManifest(root)
      problem = undefined
    } catch (cause) {
      if (!(cause instanceof GatewayError)) throw cause
      problem = toDiagnostic(cause)
    }
  }

  function describe(): Workspace {
    const environment = environments.selected()
    return {
      name: manifest.name,
      dir: root,
      isSample,
      files,
      environments: environments.names(),
      ...(environment !== undefined && { environment }),
    }
  }

  return {
    root,
    describe,
    manifest: () => manifest,
    /** Mistakes in the manifest and in the files of environments; their last good form counts. */
    problems: (): Diagnostic[] => [...(problem ? [problem] : []), ...environments.problems()],
    /** Text files of one kind, unread. */
    pathsOf: (kind: Workspace['files'][number]['kind']) =>
      files.filter((file) => file.kind === kind).map(({ path }) => path),
    /** Values of the selected environment; empty when there is none. */
    environmentValues: environments.values,
    environmentSecrets: environments.secrets,
    selectEnvironment(name: string | null) {
      environments.select(name)
      return describe()
    },
    readText: (path: string): Promise<FileText> => readText(root, path),
    async writeText(file: { path: string; text: string; etag: string | null }) {
      const written = await writeText(root, file)
      files = scanFiles(root)
      if (file.path === 'sluice.yaml') rereadManifest()
      return written
    },
    /** The etag of a file as it lies on disk now; null when it is gone. */
    etagOnDisk: (path: string) =>
      readText(root, path).then(
        ({ text }) => etagOf(text),
        () => null,
      ),
    path: (path: string) => join(root, path),
    /** Lists the files anew, for whoever wrote some himself. */
    rescan: () => void (files = scanFiles(root)),
    close: stopWatching,
  }
}

function checkReadable(root: string) {
  const info = statSync(root, { throwIfNoEntry: false })
  if (!info?.isDirectory())
    throw errors.workspaceUnreadable(`"${root}" is no folder; choose the folder of a workspace`)
  try {
    accessSync(root, constants.R_OK | constants.X_OK)
  } catch (cause) {
    throw errors.workspaceUnreadable(
      `"${root}" may not be read by this user; change its permissions or choose another folder`,
      { cause },
    )
  }
}
