import type { Client } from '../client/client.ts'
import { documentsStore, type TextDocument } from './documents.ts'
import { receiveCheck } from './pipelines.ts'
import { parseRequestDocument } from './request-document.ts'

const CHECK_AFTER_MS = 200

/** Checks every text some time after it was edited and hands the problems to the store. */
export function checkDocuments(client: Client) {
  const checked = new Map<string, string>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()

  documentsStore.subscribe(({ documents }, before) => {
    for (const document of Object.values(documents)) {
      const { path, text } = document
      if (before.documents[path] === document || checked.get(path) === text) continue
      const delay = checked.has(path) ? CHECK_AFTER_MS : 0
      clearTimeout(timers.get(path))
      timers.set(
        path,
        setTimeout(() => {
          checked.set(path, text)
          void check(client, document)
        }, delay),
      )
    }
    for (const path of checked.keys()) if (!documents[path]) checked.delete(path)
  })
}

async function check(client: Client, { path, kind, text }: TextDocument) {
  if (kind === 'request') {
    receiveCheck(path, { diagnostics: requestDiagnostics(path, text) })
    return
  }
  if (kind !== 'pipeline') return
  try {
    const result = await client.call('POST /api/check', { body: { path, text } })
    // An answer to an older text must not take the place of a newer one's.
    if (documentsStore.getState().documents[path]?.text === text) receiveCheck(path, result)
  } catch {
    // The gateway is away; it is asked again at the next edit or after the reconnect.
  }
}

const requestDiagnostics = (file: string, text: string) =>
  parseRequestDocument(text).problems.map(({ line, message }) => ({
    severity: 'warning' as const,
    code: 'request-line',
    message,
    source: { file, line, column: 1, endLine: line + 1, endColumn: 1 },
  }))
