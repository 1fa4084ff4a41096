import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { startSluice } from '../support/start-sluice.ts'

const MB = 1024 * 1024
const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

test.skipIf(process.platform !== 'linux')(
  'streams a 200 MB body to the engine without holding it',
  async () => {
    let received = 0
    const engine = createServer((incoming, response) => {
      incoming.on('data', (part: Buffer) => (received += part.length))
      incoming.on('end', () => response.end('{}'))
    })
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve))
    const { port } = engine.address() as AddressInfo
    await using sluice = await startSluice(['--engine', `http://127.0.0.1:${port}`])
    const before = residentMb(sluice.pid)
    let highest = before
    const watch = setInterval(() => (highest = Math.max(highest, residentMb(sluice.pid))), 20)
    const part = Buffer.alloc(MB, 'x')
    const outgoing = request(`${sluice.gateway}/movies/_bulk`, {
      method: 'POST',
      headers: { authorization: sluice.authorization },
    })
    const status = new Promise<number | undefined>((resolve) =>
      outgoing.on('response', (answer) => resolve(answer.resume().statusCode)),
    )
    await pipeline(Readable.from(Array.from({ length: 200 }, () => part)), outgoing)
    expect(await status).toBe(200)
    clearInterval(watch)
    expect(received).toBe(200 * MB)
    // Buffers on their way plus what the collector has not come to yet; holding the body takes 200.
    expect(highest - before).toBeLessThan(150)
    engine.close()
    engine.closeAllConnections()
  },
)
