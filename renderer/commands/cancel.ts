import { cancelSend } from '../stores/send-request.ts'
import { requestPathInReach } from '../stores/request-in-reach.ts'
import { sendsStore } from '../stores/sends.ts'
import { defineCommand } from './define.ts'

/** Gives up the request that is in flight; its run is cancelled. */
export const cancel = defineCommand({
  id: 'run.cancel',
  title: 'Cancel Request',
  keys: ['Shift+F5'],
  unavailable() {
    const path = requestPathInReach()
    const send = path === undefined ? undefined : sendsStore.getState().sends[path]
    return send?.state === 'running' ? undefined : 'No request is in flight'
  },
  run() {
    const path = requestPathInReach()
    if (path !== undefined) cancelSend(path)
  },
})
