import { startNginx } from './peers/nginx.ts'
import { startProgram } from './processes.ts'
import { measureRounds, printTable } from './rounds.ts'
import { startSluice } from './sluice.ts'

const RAW = 'raw Node http + undici'

/** Search requests that no pipeline takes, against proxies that do nothing but pass on. */
export async function benchPassthrough({ rounds, seconds }: { rounds: number; seconds: number }) {
  const { contestant: engine } = await startProgram('engine', 'engine-stand-in.ts')
  const raw = await startProgram(RAW, 'peers/raw-proxy.ts', [engine.url])
  const plugin = await startProgram('@fastify/http-proxy', 'peers/fastify-proxy.ts', [engine.url])
  const nginx = await startNginx(engine.url)
  if (!nginx) console.log('nginx is not installed: left out')
  const sluice = await startSluice('sluice serve, authenticated', ['--engine', engine.url])
  const headers = { 'content-type': 'application/json' }
  const contestants = [
    ...(nginx ? [{ ...nginx, request: {} }] : []),
    { ...raw.contestant, request: {} },
    { ...plugin.contestant, request: {} },
    sluice,
  ]
  const load = { method: 'POST', path: '/movies/_search', headers, body: '{"size":10}' }
  const rows = await measureRounds(contestants, { ...load, clients: 32, seconds }, rounds)
  printTable('pass-through, 32 clients, 2.6 kB answers', rows, RAW)
  for (const { stop } of [...contestants, engine]) await stop()
}
