import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { announce } from '../processes.ts'

/** Node-RED with the work of the benchmark's pipeline as a flow: three functions, one request. */
const [engineUrl = '', folder = ''] = process.argv.slice(2)
const load = createRequire(join(folder, 'package.json'))
const app = load('express')()
const server = createServer(app)
const red = load('node-red')
const node = (id: string, type: string, next: string[], more: Record<string, unknown>) => {
  return { id, type, z: 'tab', x: 100, y: 100, wires: [next], ...more }
}
const call = (id: string, next: string, func: string) =>
  node(id, 'function', [next], { name: id, func, outputs: 1, timeout: 0, libs: [] })

const userDir = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
red.init(server, {
  httpAdminRoot: false,
  httpNodeRoot: '/',
  userDir,
  flowFile: 'flows.json',
  logging: { console: { level: 'off' } },
  telemetry: { enabled: false },
})
app.use('/', red.httpNode)
const isRunning = new Promise((resolve) => red.events.once('flows:started', resolve))
writeFileSync(
  join(userDir, 'flows.json'),
  JSON.stringify([
    { id: 'tab', type: 'tab', label: 'bench', disabled: false },
    node('in', 'http in', ['before'], { url: '/movies/search', method: 'post', upload: false }),
    call(
      'before',
      'search',
      `msg.payload.size = Math.min(msg.payload.size ?? 10, 50)
msg.payload = JSON.stringify(msg.payload)
msg.headers = { 'content-type': 'application/json' }
return msg`,
    ),
    node('search', 'http request', ['decades'], {
      method: 'POST',
      url: `${engineUrl}/movies/_search`,
      ret: 'txt',
      persist: true,
      paytoqs: 'ignore',
    }),
    call(
      'decades',
      'order',
      `const answer = JSON.parse(msg.payload)
for (const hit of answer.hits.hits) hit._source.decade = Math.floor(hit._source.year / 10) * 10
msg.payload = JSON.stringify(answer)
return msg`,
    ),
    call(
      'order',
      'out',
      `const answer = JSON.parse(msg.payload)
answer.hits.hits.sort((a, b) => b._source.year - a._source.year)
msg.payload = JSON.stringify(answer)
msg.headers = { 'content-type': 'application/json' }
return msg`,
    ),
    { ...node('out', 'http response', [], { statusCode: '', headers: {} }), wires: [] },
  ]),
)
await red.start()
await isRunning
server.listen(0, '127.0.0.1', () => announce(server))
