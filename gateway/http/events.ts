import type { ServerResponse } from 'node:http'
import type { GatewayEvent } from '../contract/events.ts'

const KEEP_ALIVE_MS = 15_000
/** A reader that far behind is cut off; it fetches the state anew when it comes back. */
const MAX_BACKLOG_BYTES = 8 * 1024 * 1024

/** What the program tells its windows. */
export type EventHub = ReturnType<typeof createEventHub>

/** Sends every event to every open stream; with none open an event costs nothing. */
export function createEventHub() {
  const streams = new Set<ServerResponse>()

  /** Turns a request into a stream of server-sent events (WHATWG HTML 9.2) until it closes. */
  function open(response: ServerResponse) {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    response.write(': open\n\n')
    const beat = setInterval(() => response.write(': beat\n\n'), KEEP_ALIVE_MS)
    streams.add(response)
    response.on('close', () => {
      clearInterval(beat)
      streams.delete(response)
    })
  }

  function emit(event: GatewayEvent) {
    if (streams.size === 0) return
    const frame = `data: ${JSON.stringify(event)}\n\n`
    for (const stream of streams) {
      if (stream.writableLength > MAX_BACKLOG_BYTES) stream.destroy()
      else stream.write(frame)
    }
  }

  return {
    open,
    emit,
    hasListeners: () => streams.size > 0,
    close() {
      for (const stream of streams) stream.end()
    },
  }
}
