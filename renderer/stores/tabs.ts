import { createStore, useStore } from 'zustand'

/** What a tab shows. `target` is a path, a run id, or empty for Home. */
export interface Tab {
  tabId: string
  kind: 'home' | 'file' | 'run'
  target: string
  /** Shown in italics; the next preview takes its place. */
  isPreview: boolean
}

/** Tabs that share one place; `activeTabId` is null when there are none. */
export interface TabGroup {
  tabs: readonly Tab[]
  activeTabId: string | null
}

interface TabsState {
  /** One or two groups, left to right. */
  groups: readonly TabGroup[]
  /** Index of the group that has, or last had, the focus. */
  activeGroup: number
}

/** The Home tab. */
export const HOME: Tab = { tabId: 'home', kind: 'home', target: '', isPreview: false }
const START: TabsState = { groups: [{ tabs: [HOME], activeTabId: 'home' }], activeGroup: 0 }

/** Which documents are open, where, and which of them is in front. */
export const tabsStore = createStore<TabsState>(() => START)

/** A tab for a file of the workspace. */
export const fileTab = (path: string, isPreview = false): Tab => ({
  tabId: `file:${path}`,
  kind: 'file',
  target: path,
  isPreview,
})

/** A tab for the record of one run. */
export const runTab = (runId: string): Tab => ({
  tabId: `run:${runId}`,
  kind: 'run',
  target: runId,
  isPreview: true,
})

/** Takes every tab off the screen; Home is in front. */
export const clearTabs = () => tabsStore.setState(START)

/** Takes over a whole arrangement, such as a remembered one. */
export const arrangeTabs = (state: TabsState) => tabsStore.setState(state)

/** Brings a tab to the front, opening it in `group` (the active one by default) when it is not open. */
export function openTab(tab: Tab, group?: number) {
  tabsStore.setState((state) => {
    const at = state.groups.findIndex(({ tabs }) => tabs.some(({ tabId }) => tabId === tab.tabId))
    const into = at >= 0 ? at : Math.min(group ?? state.activeGroup, state.groups.length - 1)
    const groups = state.groups.map((one, index) => (index === into ? withTab(one, tab) : one))
    return { groups, activeGroup: into }
  })
}

/** Makes a group the one that new tabs go to. */
export const activateGroup = (activeGroup: number) =>
  tabsStore.setState((state) => (state.activeGroup === activeGroup ? state : { activeGroup }))

/** Closes one tab; a group that becomes empty beside another one disappears. */
export function closeTab(tabId: string) {
  tabsStore.setState(({ groups, activeGroup }) => {
    const rest = groups.map((group) => withoutTab(group, tabId))
    const kept = rest.filter(({ tabs }) => tabs.length > 0)
    return {
      groups: kept.length > 0 ? kept : [{ tabs: [], activeTabId: null }],
      activeGroup: Math.max(0, Math.min(activeGroup, kept.length - 1)),
    }
  })
}

/** A preview becomes a lasting tab: it was edited or opened by a double click. */
export const keepTab = (tabId: string) =>
  tabsStore.setState((state) =>
    state.groups.some(({ tabs }) => tabs.some((tab) => tab.tabId === tabId && tab.isPreview))
      ? {
          groups: state.groups.map((group) => ({
            ...group,
            tabs: group.tabs.map((tab) =>
              tab.tabId === tabId ? { ...tab, isPreview: false } : tab,
            ),
          })),
        }
      : state,
  )

/** Moves to the next (1) or previous (-1) tab of the active group, around the ends. */
export function stepTab(by: 1 | -1) {
  const { groups, activeGroup } = tabsStore.getState()
  const { tabs = [], activeTabId = null } = groups[activeGroup] ?? {}
  const at = tabs.findIndex(({ tabId }) => tabId === activeTabId)
  const next = tabs[(at + by + tabs.length) % tabs.length]
  if (next) openTab(next)
}

/** Moves a tab into the other group, which is made when there is only one. */
export function moveToOtherGroup(tabId: string) {
  tabsStore.setState(({ groups }) => {
    const from = groups.findIndex(({ tabs }) => tabs.some((tab) => tab.tabId === tabId))
    const tab = groups[from]?.tabs.find((tab) => tab.tabId === tabId)
    if (!tab) return {}
    const to = from === 0 ? 1 : 0
    const moved = groups.map((group, index) =>
      index === from ? withoutTab(group, tabId) : withTab(group, tab),
    )
    const all = moved[1] ? moved : [...moved, { tabs: [tab], activeTabId: tab.tabId }]
    const kept = all.filter(({ tabs }) => tabs.length > 0)
    return { groups: kept, activeGroup: kept.length > 1 ? to : 0 }
  })
}

/** The tab in front of the active group. */
export function activeTab({ groups, activeGroup }: TabsState = tabsStore.getState()) {
  const group = groups[activeGroup]
  return group?.tabs.find(({ tabId }) => tabId === group.activeTabId)
}

/** Path of the file in front; undefined when Home, a run or nothing is. */
export function activePath(state: TabsState = tabsStore.getState()) {
  const tab = activeTab(state)
  return tab?.kind === 'file' ? tab.target : undefined
}

/** Paths of the files in front of their groups, the active group's first. */
export const frontPaths = ({ groups, activeGroup }: TabsState = tabsStore.getState()) =>
  groups
    .toSorted((a, b) => Number(b === groups[activeGroup]) - Number(a === groups[activeGroup]))
    .flatMap(({ tabs, activeTabId }) => tabs.find(({ tabId }) => tabId === activeTabId) ?? [])
    .flatMap(({ kind, target }) => (kind === 'file' ? target : []))

/** Re-renders when what `selector` picks from this store changes. */
export const useTabs = <T>(selector: (state: TabsState) => T) => useStore(tabsStore, selector)

function withTab({ tabs, activeTabId }: TabGroup, tab: Tab): TabGroup {
  const existing = tabs.findIndex(({ tabId }) => tabId === tab.tabId)
  if (existing >= 0)
    return {
      tabs: tabs.map((one, index) =>
        index === existing ? { ...one, isPreview: one.isPreview && tab.isPreview } : one,
      ),
      activeTabId: tab.tabId,
    }
  const previewAt = tab.isPreview ? tabs.findIndex(({ isPreview }) => isPreview) : -1
  const after = tabs.findIndex(({ tabId }) => tabId === activeTabId) + 1
  return {
    tabs: previewAt >= 0 ? tabs.with(previewAt, tab) : tabs.toSpliced(after, 0, tab),
    activeTabId: tab.tabId,
  }
}

function withoutTab({ tabs, activeTabId }: TabGroup, tabId: string): TabGroup {
  const at = tabs.findIndex((tab) => tab.tabId === tabId)
  if (at < 0) return { tabs, activeTabId }
  const rest = tabs.toSpliced(at, 1)
  const neighbour = rest[Math.min(at, rest.length - 1)]?.tabId ?? null
  return { tabs: rest, activeTabId: activeTabId === tabId ? neighbour : activeTabId }
}
