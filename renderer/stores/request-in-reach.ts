import { documentsStore } from './documents.ts'
import { frontPaths } from './tabs.ts'

/**
 * Path of the request document that Send means: the one in front, else the one in front of the
 * other group, so that a pipeline being edited can be tried without leaving it.
 */
export const requestPathInReach = (): string | undefined =>
  frontPaths().find((path) => documentsStore.getState().documents[path]?.kind === 'request')
