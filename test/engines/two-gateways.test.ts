import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunSummary } from '../../gateway/contract/trace.ts'
import { openConnection } from '../../gateway/engine/connection.ts'
import { openClusterState } from '../../gateway/state/cluster.ts'
import { startCuttableProxy } from '../support/cuttable-proxy.ts'
import { describeWithOpenSearch, ENGINE_START_MS, useOpenSearch } from '../support/engines.ts'
import { getHello, helloForm } from '../support/hello-pipeline.ts'
import { callApi } from '../support/pipeline-api.ts'
import { testSharedState } from '../support/shared-state-conformance.ts'
import { callControl, runSluice, startSluice, type Sluice } from '../support/start-sluice.ts'

const SYNC_SECONDS = 1
/** Promised is one interval; a busy machine gets five. */
const IN_TIME = { timeout: SYNC_SECONDS * 5_000, interval: 50 }
const INDEX = '.sluice-state'

const serve = (engine: string) =>
  startSluice(['--engine', engine, '--state', 'cluster', '--sync', String(SYNC_SECONDS)])

// In one file, one after another: there is one index of this name in an engine.
describeWithOpenSearch('state of a cluster in a real engine', () => {
  let url = ''
  const removeIndex = () => fetch(`${url}/${INDEX}`, { method: 'DELETE' })
  beforeAll(async () => {
    process.env['SLUICE_SECRET_KEY'] = 'the key of both gateways'
    url = (await useOpenSearch()).url
    await removeIndex()
  }, ENGINE_START_MS)
  afterAll(async () => {
    delete process.env['SLUICE_SECRET_KEY']
    await removeIndex()
  })

  describe('two gateways', () => {
    let gateways: [first: Sluice, second: Sluice]
    beforeAll(async () => {
      gateways = await Promise.all([serve(url), serve(url)])
    }, ENGINE_START_MS)
    afterAll(() => Promise.all(gateways.map((gateway) => gateway.stop())))
    const answersOf = (prefix = '') =>
      Promise.all(gateways.map(({ gateway }) => getHello(gateway, prefix)))

    test('pipelines, versions and variables made on one are live on the other in time', async () => {
      const [first, second] = gateways
      const form = helloForm('', { head: 'id: hello\n' })
      form['answer.js'].text = answerWith(`'one ' + context.envs.PLACE`)
      expect((await callApi(first, 'POST', '/_pipeline', { form })).status).toBe(201)
      const env = { key: 'PLACE', value: 'a-shared-secret' }
      expect((await callApi(second, 'POST', '/_pipelines/env', { json: env })).status).toBe(200)
      await expect
        .poll(() => answersOf(), IN_TIME)
        .toEqual(Array(2).fill('200 one a-shared-secret'))

      const path = '/_pipeline/hello'
      const version = { form: helloForm('two') }
      expect((await callApi(second, 'POST', `${path}/version`, version)).status).toBe(201)
      await expect.poll(() => answersOf('/v2'), IN_TIME).toEqual(['200 two', '200 two'])
      expect((await answersOf())[0]).toBe('200 one a-shared-secret')
      expect((await callApi(first, 'POST', `${path}/version/2/live`)).status).toBe(200)
      await expect.poll(() => answersOf(), IN_TIME).toEqual(['200 two', '200 two'])
      const { usage: _usage, ...seen } = (await callApi(second, 'GET', path)).body
      expect((await callApi(first, 'GET', path)).body).toMatchObject(seen)

      const stored = await fetch(`${url}/${INDEX}/_search?size=100`)
      expect(await stored.text()).not.toContain('a-shared-secret')
      await callApi(second, 'DELETE', '/_pipelines/env/PLACE')
      await callApi(second, 'DELETE', path)
      await expect
        .poll(async () => (await answersOf()).map((text) => text.slice(0, 3)), IN_TIME)
        .toEqual(['401', '401'])
    })

    test('of two who save at once one wins and the other is told', async () => {
      const statuses = (replies: { status: number }[]) =>
        replies.map(({ status }) => status).toSorted((a, b) => a - b)
      let saves = 0
      const onBoth = (method: string, path: string, headers: Record<string, string> = {}) =>
        Promise.all(
          gateways.map((gateway) =>
            callApi(gateway, method, path, {
              form: helloForm(`save ${saves++}`, { head: 'id: contended\n' }),
              headers,
            }),
          ),
        )
      expect(statuses(await onBoth('POST', '/_pipeline'))).toEqual([201, 409])
      const path = '/_pipeline/contended'
      const etags = async () =>
        Promise.all(gateways.map(async (one) => (await callApi(one, 'GET', path)).body.etag))
      for (let round = 0; round < 5; round++) {
        await expect.poll(async () => new Set(await etags()).size, IN_TIME).toBe(1)
        const [etag] = await etags()
        const replies = await onBoth('PUT', path, { 'if-match': `"${etag}"` })
        expect(statuses(replies)).toEqual([200, 412])
        // Whoever lost sees at once what the winner saved.
        expect(new Set(await etags()).size).toBe(1)
      }
      const added = await Promise.all([
        onBoth('POST', `${path}/version`),
        onBoth('POST', `${path}/version`),
      ])
      const numbers = added.flat().map(({ body }) => body._version)
      expect(numbers.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5])
      await callApi(gateways[0], 'DELETE', path)
    })

    test('one credential opens both, also when one starts anew', async () => {
      const [first, second] = gateways
      expect(second.authorization).toBe(first.authorization)
      await using third = await serve(url)
      expect((await callApi({ ...third, ...pick(first) }, 'GET', '/_pipelines')).status).toBe(200)
    })

    test('a schedule fires once, not once on each', async () => {
      const form = { pipeline: { text: CLOCK, fileName: 'clock.yaml' } }
      expect((await callApi(gateways[0], 'POST', '/_pipeline', { form })).status).toBe(201)
      await sleep(6_000)
      await callApi(gateways[1], 'DELETE', '/_pipeline/clock')
      const runs = await Promise.all(gateways.map((one) => callControl(one, 'GET', '/api/runs')))
      const starts = runs
        .flatMap(({ body }) => body as RunSummary[])
        .filter(({ pipelineId }) => pipelineId === 'clock')
        .map(({ startTime }) => startTime)
      const span = (Math.max(...starts) - Math.min(...starts)) / 1_000
      expect(starts.length).toBeGreaterThanOrEqual(3)
      expect(starts.length).toBeLessThanOrEqual(Math.round(span) + 1)
    })

    test('a workspace is not opened beside the pipelines of a cluster', async () => {
      const reply = await callControl(gateways[0], 'POST', '/api/workspace/sample')
      expect(reply).toMatchObject({ status: 409, body: { error: { type: 'CONFLICT' } } })
    })

    test('another key is refused at the start', async () => {
      process.env['SLUICE_SECRET_KEY'] = 'another key'
      const flags = ['serve', '--port', '0', '--engine', url, '--state', 'cluster']
      const { code, stderr } = await runSluice(flags)
      process.env['SLUICE_SECRET_KEY'] = 'the key of both gateways'
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('SLUICE_SECRET_KEY is not the one'),
      ])
    })
  })

  test('while the engine is away what was read is served, and the failure is seen', async () => {
    await using proxy = await startCuttableProxy(url)
    await removeIndex()
    await using sluice = await serve(proxy.url)
    const form = helloForm('one', { head: 'id: hello\n' })
    expect((await callApi(sluice, 'POST', '/_pipeline', { form })).status).toBe(201)
    const stateOf = async () => (await callApi(sluice, 'GET', '/_sluice/health')).body.state
    expect(await stateOf()).toMatchObject({ kind: 'cluster', isLoaded: true })

    proxy.cut()
    await expect.poll(stateOf, IN_TIME).toMatchObject({
      isLoaded: true,
      problem: expect.stringContaining('The search engine at'),
    })
    expect(await getHello(sluice.gateway)).toBe('200 one')
    const put = () => callApi(sluice, 'PUT', '/_pipeline/hello', { form: helloForm('two') })
    expect(await put()).toMatchObject({
      status: 503,
      body: { error: { type: 'STATE_UNAVAILABLE' } },
    })
    expect(await getHello(sluice.gateway)).toBe('200 one')

    proxy.mend()
    await expect.poll(async () => (await stateOf()).problem, IN_TIME).toBeUndefined()
    expect((await put()).status).toBe(200)
    expect(await getHello(sluice.gateway)).toBe('200 two')
  })

  test('a gateway that starts before its engine begins to serve when the state is read', async () => {
    await using proxy = await startCuttableProxy(url)
    await using other = await serve(url)
    await callApi(other, 'DELETE', '/_pipeline/late')
    const form = helloForm('late', { head: 'id: late\npriority: 9\n' })
    expect((await callApi(other, 'POST', '/_pipeline', { form })).status).toBe(201)
    proxy.cut()
    await using sluice = await serve(proxy.url)
    const health = await callApi(sluice, 'GET', '/_sluice/health')
    expect([health.status, health.body.status]).toEqual([503, 'starting'])
    expect(await getHello(sluice.gateway)).toMatch(/^503 .*STATE_UNAVAILABLE/)
    proxy.mend()
    await expect.poll(() => getHello(sluice.gateway), { timeout: 10_000 }).toBe('200 late')
  })

  describe('conformance', () => {
    testSharedState(async () => {
      await removeIndex()
      const connection = openConnection('remote', url)
      const open = () => openClusterState(connection, { intervalMs: 300, onHealth() {} })
      const [first, second] = [open(), open()]
      return {
        first,
        second,
        reopen: async () => open(),
        async close() {
          await Promise.all([first.close(), second.close()])
          await connection.pool.close()
        },
      }
    })
  })
})

const pick = ({ authorization }: Sluice) => ({ authorization })
const CLOCK = `id: clock
routes: [{ path: /clock, method: POST }]
trigger: { type: cron, expression: '* * * * * *' }
stages: [{ id: tick, script: 'function handleRequest() { return {} }' }]
`
const answerWith = (expression: string) =>
  `function handleRequest() {\n  return { response: { code: 200, body: ${expression} } }\n}\n`
