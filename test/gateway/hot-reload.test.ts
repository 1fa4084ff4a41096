import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { getHello, helloForm } from '../support/hello-pipeline.ts'
import { makeWorkspace } from '../support/make-workspace.ts'
import { callApi } from '../support/pipeline-api.ts'
import { startSluice, type Sluice } from '../support/start-sluice.ts'

const engine = ['--engine', 'http://127.0.0.1:9']
const SAVES = 25

const save = async (sluice: Sluice, answer: string) => {
  const { status } = await callApi(sluice, 'PUT', '/_pipeline/hello', { form: helloForm(answer) })
  expect(status).toBe(200)
}
const create = async (sluice: Sluice, form = helloForm('0', { head: 'id: hello\n' })) => {
  expect((await callApi(sluice, 'POST', '/_pipeline', { form })).status).toBe(201)
}

describe.each(['workspace', 'state store'])('pipelines of a %s', (place) => {
  const start = async () => {
    const workspace = makeWorkspace({})
    const isStored = place === 'state store'
    const sluice = await startSluice([
      ...engine,
      ...(isStored ? [] : ['--workspace', workspace.dir]),
    ])
    return {
      sluice,
      async [Symbol.asyncDispose]() {
        await sluice.stop()
        workspace[Symbol.dispose]()
      },
    }
  }

  test('no request is dropped while versions are saved, and each gets one version whole', async () => {
    await using running = await start()
    const { sluice } = running
    await create(sluice)
    let isOver = false
    let saved = 0
    const counts = new Map<string, number>()
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const earliest = saved
        const answer = await getHello(sluice.gateway)
        // What was acknowledged before the request began is what it gets, or something newer.
        expect(answer).toMatch(/^200 \d+$/)
        expect(Number(answer.slice(4))).toBeGreaterThanOrEqual(earliest)
        counts.set(answer, (counts.get(answer) ?? 0) + 1)
      }
    })
    for (let next = 1; next <= SAVES; next++) {
      await save(sluice, String(next))
      saved = next
    }
    isOver = true
    await Promise.all(clients)
    expect(counts.size).toBeGreaterThan(1)

    // The isolates of versions nobody runs any more are gone.
    const health = async () => (await callApi(sluice, 'GET', '/_sluice/health')).body
    await expect.poll(async () => (await health()).load.isolates).toBeLessThanOrEqual(1)
  })

  test('a run under way ends as it began: its scripts, before and after waiting', async () => {
    await using running = await start()
    const { sluice } = running
    const form = helloForm('', { head: 'id: hello\n' })
    form['answer.js'].text = `async function handleRequest() {
  await new Promise((resolve) => setTimeout(resolve, 1500))
  return { response: { code: 200, body: 'slow' } }
}
`
    await create(sluice, form)
    const slow = getHello(sluice.gateway)
    await new Promise((resolve) => setTimeout(resolve, 300))
    for (const answer of ['1', '2', '3']) await save(sluice, answer)
    expect(await getHello(sluice.gateway)).toBe('200 3')
    expect(await slow).toBe('200 slow')
  })
})

test('a request whose body comes slowly is answered by the pipeline it came for', async () => {
  using workspace = makeWorkspace({})
  await using sluice = await startSluice([...engine, '--workspace', workspace.dir])
  const { hostname, port } = new URL(sluice.gateway)
  const form = helloForm('old', { head: 'id: hello\n' })
  form.pipeline.text = form.pipeline.text.replace('GET', 'POST')
  await create(sluice, form)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /hello HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\ncontent-length: 4\r\n\r\nab`,
  )
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect((await callApi(sluice, 'DELETE', '/_pipeline/hello')).status).toBe(200)
  socket.write('cd')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[^]*\r\n\r\nold$/)
})
