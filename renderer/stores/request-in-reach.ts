import { documentsStore } from './documents.ts'
import { activePath, tabsStore } from './tabs.ts'

/**
 * Path of the request document that Send means: the one in front, else the one in front of the
 * other group, so that a pipeline being edited can be tried without leaving it.
 */
export function requestPathInReach(): string | undefined {
  const { documents } = documentsStore.getState()
  const isRequest = (path: string | undefined) =>
    path !== undefined && documents[path]?.kind === 'request'
  const active = activePath()
  if (isRequest(active)) return active
  const paths = tabsStore
    .getState()
    .groups.map((group) => group.tabs.find(({ tabId }) => tabId === group.activeTabId)?.target)
  return paths.find(isRequest)
}
