import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.map': 'application/json; charset=utf-8',
}

/** Only what the page is made of: no foreign script, style, frame or connection. */
const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
    "img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** Serves the renderer's built files from `root`. Open to everyone: there is no secret in them. */
export function createStaticFiles(root: string) {
  return async function serve(request: IncomingMessage, response: ServerResponse) {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    const path = decodePath(request.url ?? '/')
    const file = path === undefined ? undefined : normalize(join(root, path))
    const info =
      file?.startsWith(root + sep) === true ? await stat(file).catch(() => undefined) : undefined
    if (file === undefined || !info?.isFile()) {
      response.writeHead(404, { ...SECURITY_HEADERS, 'content-type': 'text/plain; charset=utf-8' })
      response.end(`There is no page at ${path ?? 'this address'}; "npm run build" builds it\n`)
      return
    }
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-length': info.size,
      // Vite names files under assets/ by their content.
      'cache-control': path?.startsWith('/assets/')
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
    })
    if (request.method === 'HEAD') response.end()
    else createReadStream(file).pipe(response)
  }
}

function decodePath(url: string) {
  try {
    const path = decodeURIComponent(url.split(/[?#]/)[0] ?? '/')
    return path.includes('\0') ? undefined : path.endsWith('/') ? `${path}index.html` : path
  } catch {
    return undefined
  }
}
