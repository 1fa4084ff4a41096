import { documentsStore, dropDocument, isDirty } from './documents.ts'
import { askToClose } from './surface.ts'
import { closeTab, type Tab } from './tabs.ts'

/** Closes a tab; a document with unsaved edits is asked about first. */
export function closeTabSafely(tab: Tab) {
  const document = tab.kind === 'file' ? documentsStore.getState().documents[tab.target] : undefined
  if (document && isDirty(document)) askToClose(tab.tabId)
  else discardTab(tab)
}

/** Closes a tab and forgets its edits. */
export function discardTab(tab: Tab) {
  closeTab(tab.tabId)
  if (tab.kind === 'file') dropDocument(tab.target)
}
