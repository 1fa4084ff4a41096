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

/** Why tests with a real engine are skipped here; never where `CI` is set, there they have to run. */
export const whySkipOpenSearch = () => (process.env['CI'] ? undefined : whyNoOpenSearch())

/**
 * Declares the same tests once for the local engine and once for a real OpenSearch. Inside tests
 * and hooks `engine().url` is its address. Files share the OpenSearch: `uniqueName` makes names of
 * indices that do not collide.
 */
export function eachEngine(declare: (engine: () => TestEngine) => void) {
  describeEngine('local engine', startTestLocalEngine, declare)
  const reason = whySkipOpenSearch()
  const name = `OpenSearch ${OPENSEARCH_VERSION}`
  if (reason) describe.skip(`${name} (skipped: ${reason})`, () => declare(() => missing(name)))
  else describeEngine(name, useOpenSearch, declare)
}

let names = 0
/** A name that no other test of this run uses. */
export const uniqueName = (base: string) => `${base}-${process.pid}-${++names}`

function describeEngine(
  name: string,
  start: () => Promise<TestEngine>,
  declare: (engine: () => TestEngine) => void,
) {
  describe(name, () => {
    let engine: TestEngine | undefined
    beforeAll(async () => {
      engine = await start()
    }, ENGINE_START_MS)
    afterAll(() => engine?.stop())
    declare(() => engine ?? missing(name))
  })
}

function missing(name: string): never {
  throw new Error(`${name} is used outside of tests and hooks`)
}
