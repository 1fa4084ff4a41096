import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadScripts } from '../../test/support/run-script.ts'
import { createOutbound } from '../engine/outbound.ts'

/** What a name server of ill will answers; there is none on the machines that run tests. */
const NAMES: Record<string, string[]> = {
  'metadata.test': ['169.254.169.254'],
  'mixed.test': ['127.0.0.1', '169.254.169.254'],
  'mapped.test': ['::ffff:169.254.169.254'],
  'nat64.test': ['64:ff9b::169.254.169.254'],
  'sixtofour.test': ['2002:a9fe:a9fe::1'],
  'link-local.test': ['fe80::1%lo'],
  'zero.test': ['0.0.0.0'],
}
const asked: string[] = []

vi.mock('node:dns', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:dns')>()
  type Answer = (problem: Error | null, found: { address: string; family: number }[]) => void
  const lookup = (name: string, options: object, answer: Answer) => {
    asked.push(name)
    // A name that means one thing when it is looked at and another when it is used.
    const times = asked.filter((one) => one === name).length
    const rebound =
      name === 'rebind.test' ? [times === 1 ? '127.0.0.1' : '169.254.169.254'] : undefined
    const addresses = rebound ?? NAMES[name]
    if (!addresses) return original.lookup(name, { ...options, all: true }, answer)
    const family = (address: string) => (address.includes(':') ? 6 : 4)
    answer(
      null,
      addresses.map((address) => ({ address, family: family(address) })),
    )
  }
  return { ...original, lookup }
})

const reached: string[] = []
const server = createServer((request, response) => {
  reached.push(request.url ?? '')
  const to = new URL(request.url ?? '', 'http://a').searchParams.get('to')
  const headers = { connection: 'close', ...(to !== null && { location: to }) }
  response.writeHead(to === null ? 200 : 302, headers).end('here')
})
const outbound = createOutbound()
let origin = ''
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await outbound.close()
  server.close()
})

/** What a script gets to see when it fetches an address. */
async function fetched(address: string, init = '{}') {
  using program = loadScripts(
    `async function handleRequest() {
      try {
        const { status, headers, body } = await fetch(${JSON.stringify(address)}, ${init})
        return { found: { status, location: headers.location, body } }
      } catch (error) { return { found: error.code } }
    }`,
    { fetch: (request, _stage, signal) => outbound.call(request, signal) },
  )
  const [result] = await program.run({ timeoutMs: 3000 })
  return result?.context.found ?? result?.error?.code
}

const METADATA = [
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.169.254./',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0xA9.0xFE.0xA9.0xFE/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://169.16689662/',
  'http://1６9.254.169.254/',
  'http://169。254。169。254/',
  'http:169.254.169.254',
  'http:\\\\169.254.169.254\\',
  'http://user:pw@169.254.169.254/',
  'http://127.0.0.1@169.254.169.254/',
  'http://169.254.169.254#@127.0.0.1/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[0:0:0:0:0:ffff:a9fe:a9fe]/',
  'http://[::169.254.169.254]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[64:ff9b:1::169.254.169.254]/',
  'http://[2002:a9fe:a9fe::]/',
  'http://[fe80::1]/',
  'http://[fe80:0:0:0:0:0:0:1]/',
  'http://[febf::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fd20:ce::254]/',
  'http://[::]/',
  'http://[ff02::1]/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://100.100.100.200/',
  'http://168.63.129.16/',
  'http://255.255.255.255/',
  'http://239.1.1.1/',
  'https://169.254.169.254/',
  ...Object.keys(NAMES).map((name) => `http://${name}/`),
]

test.each(METADATA)('a script cannot reach %s', async (address) => {
  expect(await fetched(address)).toBe('ADDRESS_REFUSED')
})

/** What a header can carry, and what says the same behind another address. */
const LOCATIONS = METADATA.filter((address) => /^https?:\/\/[\x20-\x7e]*$/.test(address))

test.each(LOCATIONS)('a redirect does not lead a script to %s', async (address) => {
  const before = reached.length
  expect(await fetched(`${origin}/?to=${encodeURIComponent(address)}`)).toBe('ADDRESS_REFUSED')
  expect(reached.length).toBe(before + 1)
})

test.each([
  'file:///etc/passwd',
  'data:text/plain,hello',
  'blob:nodedata:1',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1/',
  'ws://127.0.0.1/',
  'unix:/var/run/docker.sock',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
  'javascript:1',
  '//169.254.169.254/',
  '/etc/passwd',
  'http://',
  '',
])('%s is no address for a script, and no place for a redirect', async (address) => {
  expect(await fetched(address)).toBe('ADDRESS_REFUSED')
})

test.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:text/plain,x'])(
  'a redirect to %s is refused',
  async (address) => {
    expect(await fetched(`${origin}/?to=${encodeURIComponent(address)}`)).toBe('ADDRESS_REFUSED')
  },
)

test('a redirect is shown where it is asked for, and not followed', async () => {
  const to = 'http://169.254.169.254/'
  expect(
    await fetched(`${origin}/?to=${encodeURIComponent(to)}`, '{ redirect: "manual" }'),
  ).toEqual({
    status: 302,
    location: to,
    body: 'here',
  })
  expect(await fetched(`${origin}/?to=${encodeURIComponent(to)}`, '{ redirect: "error" }')).toBe(
    'CALL_FAILED',
  )
})

test('a name that changes its meaning between two calls is checked each time', async () => {
  const port = new URL(origin).port
  expect(await fetched(`http://rebind.test:${port}/`)).toMatchObject({ status: 200 })
  expect(await fetched(`http://rebind.test:${port}/`)).toBe('ADDRESS_REFUSED')
})

test.each([
  '{ headers: { "x-a": "1\\r\\nhost: evil" } }',
  '{ headers: { "x-a\\r\\nx-b": "1" } }',
  '{ method: "GET / HTTP/1.1\\r\\nx: y" }',
  '{ headers: { "content-length": "5" }, method: "POST", body: "x" }',
  '{ headers: { "transfer-encoding": "chunked" }, method: "POST", body: "0\\r\\n\\r\\nGET /smuggled HTTP/1.1\\r\\nhost: a\\r\\n\\r\\n" }',
])('a request that smuggles another is not sent: %s', async (init) => {
  await fetched(`${origin}/`, init)
  expect(reached).not.toContain('/smuggled')
  expect(await fetched(`${origin}/?to=x`, init)).not.toMatchObject({ status: 200 })
})
