import { createStore, useStore } from 'zustand'
import type { AppState, EngineState, Task, Workspace } from '../../gateway/contract/workspace.ts'

interface AppStoreState {
  /** `lost` while the event stream is down; `refused` when the token is not accepted. */
  connection: 'connecting' | 'open' | 'lost' | 'refused'
  /** Null until the gateway has answered for the first time. */
  state: AppState | null
}

/** What the gateway said about itself, the workspace, the engine and its tasks. */
export const appStore = createStore<AppStoreState>(() => ({
  connection: 'connecting',
  state: null,
}))

/** Notes whether the gateway can be heard. */
export const setConnection = (connection: AppStoreState['connection']) =>
  appStore.setState({ connection })

/** Takes over the whole state, after a start or a reconnect. */
export const receiveState = (state: AppState) =>
  appStore.setState({
    state: { ...state, tasks: state.tasks.filter((task) => task.state !== 'finished') },
  })

const patch = (change: (state: AppState) => AppState) =>
  appStore.setState(({ state }) => ({ state: state && change(state) }))

/** Takes over the open workspace; null when it was closed. */
export const receiveWorkspace = (workspace: Workspace | null) =>
  patch((state) => ({ ...state, workspace: workspace ?? undefined }))

/** Takes over the list of workspaces that were open lately. */
export const receiveRecent = (recentWorkspaces: AppState['recentWorkspaces']) =>
  patch((state) => ({ ...state, recentWorkspaces }))

/** Takes over the state of the connected engine. */
export const receiveEngine = (engine: EngineState) => patch((state) => ({ ...state, engine }))

/** Keeps the newest form of a task; finished ones leave the list. */
export const receiveTask = (task: Task) =>
  patch((state) => ({
    ...state,
    tasks: [
      ...state.tasks.filter(({ taskId }) => taskId !== task.taskId),
      ...(task.state === 'finished' ? [] : [task]),
    ],
  }))

/** The open workspace, when there is one. */
export const currentWorkspace = () => appStore.getState().state?.workspace

/** Re-renders when what `selector` picks from this store changes. */
export const useApp = <T>(selector: (state: AppStoreState) => T) => useStore(appStore, selector)
