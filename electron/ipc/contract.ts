import { z } from 'zod'

/** Every question the page may ask the shell. Nothing else crosses. */
export const ipc = {
  /** A folder the user chose; null when the dialog was closed. */
  'folder.pick': { args: z.tuple([]), result: z.string().nullable() },
  /** Opens an http, https or mailto address in the user's own program for it. */
  'link.open': { args: z.tuple([z.string()]), result: z.void() },
  /** Lets the user save a text under a suggested name; resolves when saved or given up. */
  'file.save': { args: z.tuple([z.string(), z.string()]), result: z.void() },
} as const

/** The name of one question. */
export type Channel = keyof typeof ipc
/** The same table as functions: what handlers implement and the bridge offers. */
export type Ipc = {
  [C in Channel]: (
    ...args: z.output<(typeof ipc)[C]['args']>
  ) => Promise<z.output<(typeof ipc)[C]['result']>>
}
/** All channels. The cast only gives back what `Object.keys` forgets. */
export const channels = Object.keys(ipc) as Channel[]
