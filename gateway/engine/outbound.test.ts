import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutbound } from './outbound.ts'

const seen: { path: string; authorization: string | undefined; method: string }[] = []
const answer = (request: IncomingMessage, response: ServerResponse) => {
  const { url = '', method = '' } = request
  seen.push({ path: url, authorization: request.headers.authorization, method })
  if (url === '/to-metadata')
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
  else if (url === '/to-other')
    response.writeHead(307, { location: `http://127.0.0.1:${portOf(other)}/arrived` }).end()
  else if (url === '/see-other') response.writeHead(303, { location: '/arrived' }).end()
  else if (url === '/loop') response.writeHead(302, { location: '/loop' }).end()
  else if (url === '/large') response.end('x'.repeat(1024 * 1024 + 1))
  else response.end('here')
}
const home = createServer(answer)
const other = createServer(answer)
const portOf = (server: typeof home) => (server.address() as AddressInfo).port
const outbound = createOutbound()
const signal = new AbortController().signal
const post = { method: 'POST', body: 'x', headers: { Authorization: 'Basic abc', 'x-own': '1' } }
const call = (path: string) =>
  outbound.call({ ...post, url: `http://127.0.0.1:${portOf(home)}${path}` }, signal)

beforeAll(async () => {
  for (const server of [home, other])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await outbound.close()
  home.close()
  other.close()
})

test('a redirect to a forbidden address is refused', async () => {
  await expect(call('/to-metadata')).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
})

test('a credential does not follow a redirect to another origin', async () => {
  expect(await call('/to-other')).toMatchObject({ status: 200, redirected: true, body: 'here' })
  expect(seen.at(-1)).toEqual({ path: '/arrived', authorization: undefined, method: 'POST' })
})

test('a 303 answer is followed with GET and keeps the credential at home', async () => {
  await call('/see-other')
  expect(seen.at(-1)).toEqual({ path: '/arrived', authorization: 'Basic abc', method: 'GET' })
})

test('an answer that is larger than the caller can hold is a failed call', async () => {
  const url = `http://127.0.0.1:${portOf(home)}/large`
  expect((await outbound.call({ ...post, url }, signal)).body.length).toBe(1024 * 1024 + 1)
  await expect(
    outbound.call({ ...post, url, maxReplyBytes: 1024 * 1024 }, signal),
  ).rejects.toMatchObject({
    code: 'CALL_FAILED',
    message: `${url} answered more than 1 MB`,
  })
})

test('endless redirects end', async () => {
  await expect(call('/loop')).rejects.toMatchObject({ code: 'CALL_FAILED' })
})

test.each([
  'http://169.254.169.254/',
  'http://[fe80::1]/',
  'http://2852039166/',
  'file:///etc/passwd',
  'nonsense',
])('%s is refused before anything is sent', async (url) => {
  await expect(outbound.call({ ...post, url }, signal)).rejects.toMatchObject({
    code: 'ADDRESS_REFUSED',
  })
})

test('a name is checked by the address it resolves to', async () => {
  const reply = outbound.call({ ...post, url: 'http://ip6-allnodes:9/' }, signal)
  await expect(reply).rejects.toMatchObject({
    code: expect.stringMatching(/ADDRESS_REFUSED|CALL_FAILED/),
  })
})

test('nothing listening is a failed call that names the address', async () => {
  const reply = outbound.call({ ...post, url: 'http://127.0.0.1:9/x?key=hidden' }, signal)
  await expect(reply).rejects.toMatchObject({
    code: 'CALL_FAILED',
    message: 'POST http://127.0.0.1:9/x failed (ECONNREFUSED)',
  })
})
