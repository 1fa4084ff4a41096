import { z } from 'zod'
import type { Client } from '../client/client.ts'
import type { Workspace } from '../../gateway/contract/workspace.ts'
import { currentWorkspace } from './app.ts'
import { documentsStore, isDirty, putDocument } from './documents.ts'
import { kindOf, loadDocument } from './open-file.ts'
import { arrangeTabs, tabsStore } from './tabs.ts'

const WRITE_AFTER_MS = 250

const Tab = z.object({
  tabId: z.string(),
  kind: z.enum(['home', 'file', 'run']),
  target: z.string(),
  isPreview: z.boolean(),
})
const Session = z.object({
  groups: z
    .array(z.object({ tabs: z.array(Tab), activeTabId: z.string().nullable() }))
    .min(1)
    .max(2),
  activeGroup: z.number(),
  /** Unsaved texts, with the content on disk they started from. */
  drafts: z.array(
    z.object({
      path: z.string(),
      text: z.string(),
      savedText: z.string(),
      etag: z.string().nullable(),
    }),
  ),
  views: z.record(
    z.string(),
    z.object({ line: z.number(), column: z.number(), scrollTop: z.number() }),
  ),
})
/** What must be on screen again after a reload: tabs, unsaved texts and cursors of a workspace. */
type Session = z.infer<typeof Session>

// Nothing is written before everything was read: a page that goes early must not lose drafts.
let restoredDir: string | undefined
// What this page left, in case the browser has no room for it.
const left = new Map<string, Session>()

const keyOf = (dir: string) => `sluice.session:${dir}`

/** Writes the session of the open workspace soon after every change, and when the page goes. */
export function keepSession(onFull: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    if (!writeSession()) onFull()
  }
  const writeSoon = () => {
    timer ??= setTimeout(write, WRITE_AFTER_MS)
  }
  tabsStore.subscribe(writeSoon)
  documentsStore.subscribe(writeSoon)
  // A closing page gets no more timers.
  addEventListener('pagehide', write)
}

/** Keeps the session that is on screen, and writes no more until the next one was restored. */
export function leaveSession() {
  if (restoredDir === undefined) return
  left.set(restoredDir, currentSession())
  writeSession()
  restoredDir = undefined
}

/** Brings back what was open in a workspace; false when nothing was remembered. */
export async function restoreSession(client: Client, { dir }: Workspace): Promise<boolean> {
  const session = left.get(dir) ?? read(dir)
  if (session) await bringBack(client, session, dir)
  if (currentWorkspace()?.dir === dir) restoredDir = dir
  return session !== undefined
}

/** False when the browser has no room for it. */
function writeSession() {
  if (restoredDir === undefined) return true
  try {
    localStorage.setItem(keyOf(restoredDir), JSON.stringify(currentSession()))
    return true
  } catch {
    return false
  }
}

async function bringBack(client: Client, session: Session, dir: string) {
  documentsStore.setState({ views: session.views })
  const paths = session.groups
    .flatMap(({ tabs }) => tabs)
    .filter(({ kind }) => kind === 'file')
    .map(({ target }) => target)
  await Promise.all(paths.map((path) => loadDocument(client, path)))
  if (currentWorkspace()?.dir !== dir) return
  for (const draft of session.drafts) {
    const onDisk = documentsStore.getState().documents[draft.path]
    if (onDisk && isDirty(onDisk)) continue
    putDocument({
      path: draft.path,
      kind: kindOf(draft.path),
      text: draft.text,
      savedText: onDisk?.text ?? draft.savedText,
      etag: onDisk?.etag ?? null,
      isStale: onDisk !== undefined && onDisk.etag !== draft.etag,
    })
  }
  arrangeTabs({ groups: session.groups, activeGroup: session.activeGroup })
}

function currentSession(): Session {
  const { groups, activeGroup } = tabsStore.getState()
  const { documents, views } = documentsStore.getState()
  return {
    groups: groups.map(({ tabs, activeTabId }) => ({ tabs: [...tabs], activeTabId })),
    activeGroup,
    drafts: Object.values(documents)
      .filter(isDirty)
      .map(({ path, text, savedText, etag }) => ({ path, text, savedText, etag })),
    views,
  }
}

function read(dir: string): Session | undefined {
  try {
    return Session.parse(JSON.parse(localStorage.getItem(keyOf(dir)) ?? ''))
  } catch {
    // Nothing remembered, or in an older form: the workspace opens as if for the first time.
    return undefined
  }
}
