import type { StateStore } from '../state/state-store.ts'

/** A workspace that was open once. */
interface Recent {
  name: string
  at: number
  isSample: boolean
}

const KIND = 'recent-workspace'
const MOST = 10

/** The workspaces that were open on this machine, the last one first. */
export const createRecentWorkspaces = (state: StateStore) => ({
  list: () =>
    state
      .list(KIND)
      // Safe: only this file writes the kind.
      .map(({ key, value }) => ({ dir: key, ...(value as Recent) }))
      .toSorted((a, b) => b.at - a.at)
      .slice(0, MOST),
  add: (dir: string, { name, isSample }: Omit<Recent, 'at'>) =>
    state.put(KIND, dir, { name, at: Date.now(), isSample }),
})
