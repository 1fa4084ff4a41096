import { appStore } from '../stores/app.ts'
import { notify } from '../stores/surface.ts'
import { defineCommand } from './define.ts'

/** Puts the address that clients send their requests to on the clipboard. */
export const copyAddress = defineCommand({
  id: 'run.copyAddress',
  title: 'Copy Gateway Address',
  unavailable: () => (appStore.getState().state ? undefined : 'The gateway has not answered yet'),
  async run() {
    const url = appStore.getState().state?.gatewayUrl ?? ''
    await navigator.clipboard.writeText(url)
    notify('Address copied', url)
  },
})
