import { connect, type Socket } from 'node:net'

/** What one round of load is. The answers must carry a `content-length`. */
export interface LoadOptions {
  url: string
  method: string
  path: string
  headers: Record<string, string>
  body: string
  clients: number
  seconds: number
  /** Goes on until so many requests were answered, however long that takes. */
  atLeast?: number
}

/** What became of it. */
export interface LoadResult {
  requests: number
  failures: number
  seconds: number
  medianMs: number
  p99Ms: number
}

/** Keep-alive clients over plain sockets: each sends its next request when the answer is whole. */
export async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  const { hostname, port } = new URL(options.url)
  const { method, path, headers, body, atLeast = 0 } = options
  const head = Object.entries({ host: `${hostname}:${port}`, ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const message = `${method} ${path} HTTP/1.1\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const request = Buffer.from(message)
  const durations: number[] = []
  let failures = 0
  const from = performance.now()
  const until = from + options.seconds * 1000

  const client = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      socket.setNoDelay(true)
      let sentAt = 0
      const send = () => {
        sentAt = performance.now()
        socket.write(request)
      }
      readAnswers(socket, (status) => {
        const now = performance.now()
        durations.push(now - sentAt)
        if (status !== 200) failures++
        if (now < until || durations.length < atLeast) send()
        else socket.end()
      })
      socket.once('connect', send)
      socket.once('close', () => resolve())
      socket.once('error', reject)
    })
  await Promise.all(Array.from({ length: options.clients }, client))
  const seconds = (performance.now() - from) / 1000
  const sorted = durations.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { requests: sorted.length, failures, seconds, medianMs: at(0.5), p99Ms: at(0.99) }
}

function readAnswers(socket: Socket, onAnswer: (status: number) => void) {
  let head = ''
  let left = 0
  let status = 0
  socket.on('data', (chunk: Buffer) => {
    let at = 0
    while (at < chunk.length) {
      if (left > 0) {
        const taken = Math.min(left, chunk.length - at)
        left -= taken
        at += taken
        if (left === 0) onAnswer(status)
        continue
      }
      head += chunk.toString('latin1', at)
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      at = chunk.length - (head.length - end - 4)
      // An answer that lacks a stage's part is no answer to what was asked.
      status = head.includes('\r\nx-sluice-continued:') ? 0 : Number(head.slice(9, 12))
      const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))
      if (!length) throw new Error(`an answer without content-length: ${head.slice(0, end)}`)
      head = ''
      left = Number(length[1])
      if (left === 0) onAnswer(status)
    }
  })
}

if (import.meta.main) {
  const result = await generateLoad(JSON.parse(process.argv[2] ?? '{}'))
  console.log(JSON.stringify(result))
}
