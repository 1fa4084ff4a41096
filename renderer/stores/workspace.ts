import type { Client } from '../client/client.ts'
import type { Workspace } from '../../gateway/contract/workspace.ts'
import { appStore, currentWorkspace, receiveRecent, receiveState, receiveWorkspace } from './app.ts'
import { dirtyPaths, documentsStore, dropAllDocuments } from './documents.ts'
import { openFile } from './open-file.ts'
import { dropPipelines, receivePipelines } from './pipelines.ts'
import { dropRuns, receiveRuns } from './runs.ts'
import { dropSends } from './sends.ts'
import { leaveSession, restoreSession } from './session.ts'
import { askEditor } from './editor-requests.ts'
import { markDone } from './settings.ts'
import { arrangeTabs, clearTabs, fileTab } from './tabs.ts'

/** Fetches everything the gateway knows; after a start, a reconnect or a change of workspace. */
export async function refresh(client: Client) {
  const before = currentWorkspace()?.dir
  const state = await client.call('GET /api/state')
  const { workspace } = state
  if (workspace && workspace.dir !== before) {
    clearScreen()
    receiveState(state)
    await restoreSession(client, workspace)
  } else receiveState(state)
  // A gateway that was started again knows nothing of the folder this page has open.
  if (!workspace && before !== undefined)
    receiveWorkspace(await client.call('POST /api/workspace/open', { body: { dir: before } }))
  await Promise.all([refreshPipelines(client), refreshRuns(client)])
}

/** Fetches the pipelines, with their problems. */
export async function refreshPipelines(client: Client) {
  const edited = new Set(dirtyPaths(documentsStore.getState()).split('\n'))
  if (appStore.getState().state?.workspace)
    receivePipelines(await client.call('GET /api/pipelines'), edited)
}

/** Opens the sample workspace with a request and the pipeline it meets side by side. */
export async function openSample(client: Client) {
  await showWorkspace(client, await client.call('POST /api/workspace/sample'))
  markDone('sample')
}

/** Opens a folder as the workspace. @throws {CallError} when it cannot be read. */
export async function openWorkspace(client: Client, dir: string) {
  await showWorkspace(client, await client.call('POST /api/workspace/open', { body: { dir } }))
}

/** Selects one of the workspace's environments; null for none. */
export async function selectEnvironment(client: Client, environment: string | null) {
  receiveWorkspace(await client.call('POST /api/workspace/environment', { body: { environment } }))
}

/**
 * Puts a workspace on the screen, whoever opened it: the answer and the event tell of it both. What
 * was open in the one before is kept for the time it comes back.
 */
export async function showWorkspace(client: Client, workspace: Workspace | null) {
  const isSame = currentWorkspace()?.dir === workspace?.dir
  if (!isSame) clearScreen()
  receiveWorkspace(workspace)
  if (isSame || !workspace) return
  // Text is what the user waits for; the rest arrives meanwhile.
  await Promise.all([
    restoreSession(client, workspace).then((isRestored) =>
      isRestored ? undefined : openFirstFiles(client, workspace),
    ),
    refreshPipelines(client),
    refreshRuns(client),
    client.call('GET /api/state').then((state) => receiveRecent(state.recentWorkspaces)),
  ])
}

/** Nothing of a workspace stays on screen; unsaved text is in its session. */
function clearScreen() {
  leaveSession()
  clearTabs()
  dropAllDocuments()
  dropPipelines()
  dropRuns()
  dropSends()
}

/** The first pipeline at the left, the first request document at the right and in focus. */
async function openFirstFiles(client: Client, { files }: Workspace) {
  const first = (kind: string, preferred: string) =>
    files.find(({ path }) => path === preferred) ?? files.find((file) => file.kind === kind)
  const pipeline = first('pipeline', 'pipelines/movies.pipeline.yaml')
  const request = first('request', 'requests/search.http')
  const tabs = [pipeline, request].filter((file) => file !== undefined).map(({ path }) => path)
  if (tabs.length === 0) return
  arrangeTabs({
    groups: tabs.map((path) => ({ tabs: [fileTab(path)], activeTabId: fileTab(path).tabId })),
    activeGroup: tabs.length - 1,
  })
  await Promise.all(tabs.map((path) => openFile(client, path)))
  const focused = tabs[tabs.length - 1]
  if (focused) {
    await openFile(client, focused)
    askEditor({ kind: 'focus', path: focused })
  }
}

async function refreshRuns(client: Client) {
  receiveRuns(await client.call('GET /api/runs'))
}
