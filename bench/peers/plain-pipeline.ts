import { createServer, type IncomingMessage } from 'node:http'
import { Pool } from 'undici'
import { PIPELINE_SCRIPTS } from '../pipeline-scripts.ts'
import { announce } from '../processes.ts'

interface PlainContext {
  request: { body: string }
  response: { code: number; headers: Record<string, string>; body: string }
}

type Script = (context: PlainContext) => Partial<PlainContext> | undefined

/** The work of the benchmark's pipeline by hand: the same scripts, called as plain functions. */
const [before, ...after] = PIPELINE_SCRIPTS.map(
  (text) =>
    // oxlint-disable-next-line typescript/no-implied-eval -- the texts are ours, and this is the point
    new Function(
      'context',
      `${text}
return handleRequest()`,
    ) as Script, // what the texts define
)
const upstream = new Pool(process.argv[2] ?? '', { connections: 64 })

const server = createServer(async (request, response) => {
  const context: PlainContext = {
    request: { body: await readBody(request) },
    response: { code: 200, headers: {}, body: '' },
  }
  run(context, before)
  const answer = await upstream.request({
    path: '/movies/_search',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: context.request.body,
  })
  context.response.body = await answer.body.text()
  for (const script of after) run(context, script)
  const { code, body } = context.response
  response.writeHead(code, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => announce(server))

function run(context: PlainContext, script: Script | undefined) {
  const result = script?.(context)
  if (result?.request) Object.assign(context.request, result.request)
  if (result?.response) Object.assign(context.response, result.response)
}

async function readBody(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
