import { openSample as enterSample } from '../stores/workspace.ts'
import { defineCommand } from './define.ts'

/** Copies the sample workspace to the user's folder when it is not there yet, and opens it. */
export const openSample = defineCommand({
  id: 'file.openSample',
  title: 'Open Sample Workspace',
  run: ({ client }) => enterSample(client),
})
