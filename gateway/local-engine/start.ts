import type { AddressInfo } from 'node:net'
import { openCluster } from './cluster/cluster.ts'
import { DEFAULT_LIMITS, type LocalEngineOptions } from './config.ts'
import { failures } from './errors.ts'
import { endpoints } from './features/endpoints.ts'
import { listFeatures } from './features/index.ts'
import { createHttpServer } from './http/server.ts'
import { StartFailure } from './start-failure.ts'

const DEFAULT_PORT = 4311
const FINISH_MS = 5_000
const MEMORY_CHECK_MS = 500

/** A running engine. */
export interface LocalEngine {
  /** Such as `http://127.0.0.1:4311`. */
  readonly url: string
  readonly port: number
  /** Live documents of all indices when it was opened. */
  readonly documents: number
  /** Finishes running requests, makes everything durable, closes the databases. */
  close(): Promise<void>
}

/** One line of JSON on stderr: what a user or developer should know and no request can answer. */
function log(event: string, details: Readonly<Record<string, unknown>>) {
  const line = { time: new Date().toISOString(), source: 'local-engine', event, ...details }
  process.stderr.write(`${JSON.stringify(line)}\n`)
}

/** Refuses writes when the process is larger than it may be; measured twice a second at most. */
function createBreaker(limit: number) {
  let resident = 0
  let measured = -Infinity
  return (wanted: number) => {
    const now = performance.now()
    if (now - measured > MEMORY_CHECK_MS) {
      resident = process.memoryUsage.rss()
      measured = now
    }
    if (resident + wanted <= limit) return
    throw failures.circuitBreaking(
      `[parent] Data too large: the process holds [${resident}] bytes, the write brings [${wanted}], and the limit is [${limit}]: raise the limit, delete an index, or connect a cluster`,
      { extra: { bytes_wanted: resident + wanted, bytes_limit: limit, durability: 'TRANSIENT' } },
    )
  }
}

/**
 * Opens the data directory and answers the REST API of the imitated engine.
 * @throws {StartFailure} PORT_IN_USE, DATA_DIR_LOCKED or DATA_DIR_UNREADABLE.
 */
export async function startLocalEngine(options: LocalEngineOptions): Promise<LocalEngine> {
  const { dataDir, port = DEFAULT_PORT, host = '127.0.0.1', profile = 'opensearch-3' } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const cluster = openCluster(dataDir, profile, log)
  const server = createHttpServer({
    engine: {
      cluster,
      profile: cluster.profile,
      limits,
      features: listFeatures(),
      checkMemory: createBreaker(limits.memoryBytes),
    },
    endpoints,
    allowedOrigins: options.allowedOrigins ?? [],
    log,
  })
  try {
    await listen(server, port, host)
  } catch (error) {
    await cluster.close()
    throw error
  }
  // Safe: a server that listens on a port has an address of this kind.
  const address = server.address() as AddressInfo
  const shownHost = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shownHost}:${address.port}`,
    port: address.port,
    documents: cluster.resolve('_all').reduce((sum, { index }) => sum + index.stats().count, 0),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), FINISH_MS)
      await closed
      clearTimeout(timer)
      await cluster.close()
    },
  }
}

async function listen(server: ReturnType<typeof createHttpServer>, port: number, host: string) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new StartFailure(
              'PORT_IN_USE',
              `port ${port} of ${host} is in use: stop what listens there, or configure another port for the local engine`,
              error,
            )
          : error,
      )
    })
    server.listen(port, host, resolve)
  })
}
