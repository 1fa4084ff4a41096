import { openSurface } from '../stores/surface.ts'
import { defineCommand } from './define.ts'

/** Asks for the address of a search engine and connects the gateway to it. */
export const connect = defineCommand({
  id: 'file.connect',
  title: 'Connect to a Cluster…',
  keys: ['Mod+Alt+C'],
  run: () => openSurface('connect'),
})
