import { createStore, useStore } from 'zustand'
import type { SendRequest, SendResponse } from '../../gateway/contract/exchange.ts'

/** What became of the last request that was sent from a document. */
export interface Send {
  /** Name of the block, as its `###` line says. */
  blockName: string
  /** Status the block's `@expect` comment asks for. */
  expectStatus?: number | undefined
  request: SendRequest
  state: 'running' | 'answered' | 'cancelled' | 'failed'
  startTime: number
  response?: SendResponse
  /** Why no answer came. */
  message?: string
}

interface SendsState {
  /** By path of the request document. */
  sends: Record<string, Send>
}

/** Requests in flight and last answers, one a document. */
export const sendsStore = createStore<SendsState>(() => ({ sends: {} }))

/** Takes over the state of a document's request. */
export const putSend = (path: string, send: Send) =>
  sendsStore.setState(({ sends }) => ({ sends: { ...sends, [path]: send } }))

/** Changes a document's request, unless another one was sent meanwhile. */
export const patchSend = (path: string, runId: string, change: Partial<Send>) =>
  sendsStore.setState((state) => {
    const send = state.sends[path]
    return send?.request.runId === runId
      ? { sends: { ...state.sends, [path]: { ...send, ...change } } }
      : state
  })

/** Forgets all answers, when another workspace is opened. */
export const dropSends = () => sendsStore.setState({ sends: {} })

/** Re-renders when what `selector` picks from this store changes. */
export const useSends = <T>(selector: (state: SendsState) => T) => useStore(sendsStore, selector)
