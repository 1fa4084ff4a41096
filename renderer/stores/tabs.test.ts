import { beforeEach, expect, test } from 'vitest'
import {
  activePath,
  arrangeTabs,
  closeTab,
  fileTab,
  frontPaths,
  HOME,
  keepTab,
  moveToOtherGroup,
  openTab,
  stepTab,
  tabsStore,
} from './tabs.ts'

const titles = () =>
  tabsStore.getState().groups.map(({ tabs }) => tabs.map(({ target }) => target || 'home'))

beforeEach(() => arrangeTabs({ groups: [{ tabs: [HOME], activeTabId: 'home' }], activeGroup: 0 }))

test('a preview takes the place of the last preview, a kept tab stays', () => {
  openTab(fileTab('a', true))
  openTab(fileTab('b', true))
  keepTab(fileTab('b').tabId)
  openTab(fileTab('c', true))
  expect(titles()).toEqual([['home', 'b', 'c']])
  expect(activePath()).toBe('c')
})

test('opening a preview for good keeps it', () => {
  openTab(fileTab('a', true))
  openTab(fileTab('a'))
  openTab(fileTab('b', true))
  expect(titles()).toEqual([['home', 'a', 'b']])
})

test('closing the tab in front shows its neighbour', () => {
  openTab(fileTab('a'))
  openTab(fileTab('b'))
  closeTab(fileTab('b').tabId)
  expect(activePath()).toBe('a')
})

test('a tab moves beside the others and back, and an empty side disappears', () => {
  openTab(fileTab('a'))
  moveToOtherGroup(fileTab('a').tabId)
  expect(titles()).toEqual([['home'], ['a']])
  expect(frontPaths()).toEqual(['a'])
  moveToOtherGroup(fileTab('a').tabId)
  expect(titles()).toEqual([['home', 'a']])
})

test('stepping goes round the ends', () => {
  openTab(fileTab('a'))
  stepTab(1)
  expect(tabsStore.getState().groups[0]?.activeTabId).toBe('home')
  stepTab(-1)
  expect(activePath()).toBe('a')
})
