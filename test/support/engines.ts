import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { startLocalEngine } from '../../gateway/local-engine/start.ts'
import { sharedOpenSearch } from '../engines/support/shared-opensearch.ts'
import { OPENSEARCH_VERSION, whyNoOpenSearch } from '../engines/support/start-opensearch.ts'

/** An engine that answers until `stop`. */
export interface TestEngine {
  name: string
  url: string
  stop(): Promise<void>
}

/** Time a hook may take that starts an engine; the first start on a machine downloads it. */
export const ENGINE_START_MS = 240_000

/** A local engine with an empty data folder, in the process of the test. */
export async function startTestLocalEngine(): Promise<TestEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-engine-'))
  const engine = await startLocalEngine({ dataDir, port: 0 })
  return {
    name: 'local engine',
    url: engine.url,
    async stop() {
      await engine.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The real OpenSearch of this run, shared with the other test files: `stop` leaves it running. */
export async function useOpenSearch(): Promise<TestEngine> {
  return {
    name: `OpenSearch ${OPENSEARCH_VERSION}`,
    url: await sharedOpenSearch(),
    stop: () => Promise.resolve(),
  }
}

/**
 * Declares tests that need a real OpenSearch. Where none can be started they are skipped, which one
 * line says; where `CI` is set they have to run.
 */
export function describeWithOpenSearch(name: string, declare: () => void) {
  const reason = process.env['CI'] ? undefined : whyNoOpenSearch()
  if (reason) console.warn(`skipped: ${name}: OpenSearch ${OPENSEARCH_VERSION} ${reason}`)
  describe.skipIf(reason)(name, declare)
}

/**
 * Declares the same tests once for the local engine and once for a real OpenSearch. Inside tests
 * and hooks `engine().url` is its address. Files share the OpenSearch: `uniqueName` makes names of
 * indices that do not collide.
 */
export function eachEngine(declare: (engine: () => TestEngine) => void) {
  describe('local engine', () => declareWith(startTestLocalEngine, declare))
  describeWithOpenSearch(`OpenSearch ${OPENSEARCH_VERSION}`, () =>
    declareWith(useOpenSearch, declare),
  )
}

let names = 0
/** A name that no other test of this run uses. */
export const uniqueName = (base: string) => `${base}-${process.pid}-${++names}`

function declareWith(
  start: () => Promise<TestEngine>,
  declare: (engine: () => TestEngine) => void,
) {
  let engine: TestEngine | undefined
  beforeAll(async () => {
    engine = await start()
  }, ENGINE_START_MS)
  afterAll(() => engine?.stop())
  declare(() => {
    if (!engine) throw new Error('the engine is there in tests and hooks only')
    return engine
  })
}
