import { request } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeEngine } from '../support/fake-engine.ts'
import { sendRaw } from '../support/raw-http.ts'
import { startSluice, type Sluice } from '../support/start-sluice.ts'

let engine: Awaited<ReturnType<typeof startFakeEngine>>
let sluice: Sluice
let aborted = 0

beforeAll(async () => {
  engine = await startFakeEngine((incoming, response) => {
    const path = incoming.url ?? ''
    if (path.startsWith('/half')) {
      response.writeHead(200, { 'content-length': 1_000 })
      response.write('only a part')
      setTimeout(() => incoming.socket.destroy(), 20)
    } else if (path.startsWith('/slow')) {
      response.on('close', () => (aborted += response.writableFinished ? 0 : 1))
    } else if (path.startsWith('/headers')) {
      response.writeHead(418, 'Short and stout', [
        ['X-Twice', 'a'],
        ['x-twice', 'b'],
        ['X-Bytes', 'caf\u00e9'],
        ['Keep-Alive', 'timeout=1'],
      ] as unknown as string[])
      response.end('tea')
    } else response.end(`{"id":103195600828599841,"path":${JSON.stringify(path)}}`)
  })
  sluice = await startSluice(['--engine', engine.url])
})
afterAll(async () => {
  await sluice.stop()
  await engine[Symbol.asyncDispose]()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(sluice.gateway + path, { headers: { authorization: sluice.authorization, ...headers } })

test('keeps path, query, header order and case, and drops only what belongs to the hop', async () => {
  const host = new URL(sluice.gateway).host
  await sendRaw(
    sluice.gateway,
    `GET /a%2Fb/_search?q=a+b&q=%C3%A9&pretty HTTP/1.1\r\nHost: ${host}\r\n` +
      `Authorization: ${sluice.authorization}\r\nX-ONE: 1\r\nx-two: 2\r\nX-One: 3\r\n` +
      'X-Hop: secret\r\nConnection: close, x-hop\r\n\r\n',
  )
  const { url, rawHeaders } = engine.seen.at(-1) ?? { rawHeaders: [] }
  expect(url).toBe('/a%2Fb/_search?q=a+b&q=%C3%A9&pretty')
  const own = rawHeaders
    .slice(0)
    .filter((_, i) => !/^(host|connection)$/i.test(rawHeaders[i - (i % 2)] ?? ''))
  expect(own).toEqual(['X-ONE', '1', 'x-two', '2', 'X-One', '3'])
})

test('gives status text, repeated headers and their bytes back as the engine sent them', async () => {
  const host = new URL(sluice.gateway).host
  const answer = await sendRaw(
    sluice.gateway,
    `GET /headers HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${sluice.authorization}\r\nConnection: close\r\n\r\n`,
  )
  const [head = '', body] = answer.split('\r\n\r\n')
  expect(head).toMatch(
    /^HTTP\/1.1 418 Short and stout\r\nX-Twice: a\r\nx-twice: b\r\nX-Bytes: caf\u00e9\r\n/,
  )
  expect(head).not.toMatch(/sluice/i)
  expect(body).toContain('tea')
})

test('keeps the digits of a 64-bit integer', async () => {
  expect(await (await get('/movies/_doc/1')).text()).toContain('103195600828599841')
})

test('asks for credentials, and says whether they are missing or wrong', async () => {
  const missing = await fetch(`${sluice.gateway}/movies`)
  expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([
    401,
    'Basic realm="Sluice", charset="UTF-8"',
  ])
  expect(await missing.json()).toEqual({
    error: {
      code: 401,
      status: 'Unauthorized',
      message: 'This gateway needs a user name and a password (HTTP Basic authentication)',
      type: 'UNAUTHORIZED',
    },
  })
  const wrong = await get('/movies', { authorization: `Basic ${btoa('who:what')}` })
  expect(await wrong.json()).toMatchObject({ error: { message: /wrong/ } })
})

test('refuses a host name that is not this machine', async () => {
  const answer = await sendRaw(
    sluice.gateway,
    'GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n',
  )
  expect(answer).toContain('HTTP/1.1 403')
  expect(answer).toContain('HOST_REFUSED')
})

test('a client that leaves takes its request to the engine with it', async () => {
  const before = aborted
  const outgoing = request(`${sluice.gateway}/slow`, {
    headers: { authorization: sluice.authorization },
  })
  outgoing.on('error', () => undefined)
  outgoing.end()
  while (engine.seen.at(-1)?.url !== '/slow') await sleep(5)
  outgoing.destroy()
  while (aborted === before) await sleep(5)
  expect(aborted).toBe(before + 1)
})

test('an answer cut off by the engine is cut off for the client, and others are served', async () => {
  await expect(get('/half').then((reply) => reply.text())).rejects.toThrow()
  expect((await get('/movies')).status).toBe(200)
})

test('an engine that is away gives 502 with its address, one that talks nonsense as well', async () => {
  const nonsense = createServer(
    (socket) => void socket.on('error', () => undefined).end('how do you do\r\n'),
  )
  await new Promise<void>((resolve) => nonsense.listen(0, '127.0.0.1', resolve))
  const { port } = nonsense.address() as AddressInfo
  await using odd = await startSluice(['--engine', `http://127.0.0.1:${port}`])
  const ask = async () => {
    const reply = await fetch(`${odd.gateway}/x`, { headers: { authorization: odd.authorization } })
    return (await reply.json()) as { error: { code: number; type: string; message: string } }
  }
  expect(await ask()).toMatchObject({ error: { code: 502, type: 'ENGINE_PROTOCOL' } })
  nonsense.close()
  const { error } = await ask()
  expect(error).toMatchObject({ code: 502, type: 'ENGINE_UNREACHABLE' })
  expect(error.message).toContain(`http://127.0.0.1:${port}`)
})
