import { documentsStore } from '../stores/documents.ts'
import { blockAt, parseRequestDocument } from '../stores/request-document.ts'
import { sendBlock } from '../stores/send-request.ts'
import { requestPathInReach } from '../stores/request-in-reach.ts'
import { defineCommand } from './define.ts'

/** Sends the request at the cursor through the gateway. */
export const send = defineCommand({
  id: 'run.send',
  title: 'Send Request',
  keys: ['Mod+Enter'],
  unavailable() {
    const path = requestPathInReach()
    if (path === undefined) return 'No request document is open'
    return blockOf(path) ? undefined : 'The document has no request; write "GET /movies/_search"'
  },
  async run({ client }) {
    const path = requestPathInReach()
    const block = path === undefined ? undefined : blockOf(path)
    if (path !== undefined && block) await sendBlock(client, path, block)
  },
})

function blockOf(path: string) {
  const { documents, views } = documentsStore.getState()
  const { blocks } = parseRequestDocument(documents[path]?.text ?? '')
  return blockAt(blocks, views[path]?.line ?? 1)
}
