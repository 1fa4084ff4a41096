import type { Client } from './client.ts'

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 4000

/** What `listenToEvents` reports. */
export interface EventListener {
  /** One message's data, JSON text of a `GatewayEvent`. */
  onMessage: (json: string) => void
  /** The stream is open; whatever happened before must be fetched. */
  onOpen: () => void
  /** The stream ended or could not be opened; another attempt follows by itself. */
  onLost: (status: number | undefined) => void
}

/** Reads the event stream until `signal` fires and opens it again, ever more slowly, when it ends. */
export async function listenToEvents(client: Client, listener: EventListener, signal: AbortSignal) {
  let retryMs = FIRST_RETRY_MS
  while (!signal.aborted) {
    let status: number | undefined
    try {
      const reply = await fetch(`${client.baseUrl}/api/events`, {
        // A browser would hold back a 401 to ask for a password of its own.
        credentials: 'omit',
        headers: { authorization: client.authorization, accept: 'text/event-stream' },
        signal,
      })
      status = reply.status
      if (!reply.ok || !reply.body) throw new Error(`The event stream answered ${reply.status}`)
      listener.onOpen()
      retryMs = FIRST_RETRY_MS
      await readMessages(reply.body, listener.onMessage)
    } catch {
      // Whatever the reason, the answer is the same: say so, wait, open it again.
    }
    if (signal.aborted) return
    listener.onLost(status)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
  }
}

/** Splits a server-sent event stream into the data of its messages. HTML standard, 9.2.6. */
async function readMessages(body: ReadableStream<Uint8Array>, onMessage: (json: string) => void) {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const messages = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = messages.pop() ?? ''
    for (const message of messages) {
      const data = message
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n')
      if (data) onMessage(data)
    }
  }
}
