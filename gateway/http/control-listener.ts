import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { errors } from '../errors.ts'
import { sendError } from './error-body.ts'
import type { EventHub } from './events.ts'
import { createStaticFiles } from './static-files.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

interface ControlListener {
  token: string
  /** Folder of the built page. */
  pageDir: string
  events: EventHub
  isAllowedHost(host: string | undefined): boolean
  /** Loads the API when it is first asked for: the endpoint listens long before. */
  loadApi(): Promise<Handler>
}

/**
 * The control endpoint: the page's files for everyone on this machine, everything under `/api/`
 * only with the token (decisions.md 36).
 */
export function createControlListener(control: ControlListener) {
  const serveFile = createStaticFiles(control.pageDir)
  const expected = digest(`Bearer ${control.token}`)
  let api: Promise<Handler> | undefined

  return createServer({ requestTimeout: 0 }, (request, response) => {
    if (!control.isAllowedHost(request.headers.host))
      return sendError(response, errors.hostRefused('The workbench answers on loopback names only'))
    const path = request.url ?? '/'
    if (!path.startsWith('/api/'))
      return void serveFile(request, response).catch((problem: unknown) =>
        sendError(response, problem),
      )
    // Digests have one length, whatever was sent, so that the comparison tells nothing.
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
      return sendError(
        response,
        errors.unauthorized(
          'The token of this session is missing or wrong; open the printed address',
        ),
        { challenge: false },
      )
    if (path === '/api/events') return control.events.open(response)
    api ??= control.loadApi()
    api.then(
      (handle) => handle(request, response),
      (problem: unknown) => sendError(response, problem),
    )
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()
