import { createReadStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { askEngine, type EngineConnection } from '../engine/client.ts'
import { errors } from '../errors.ts'

/** One entry of the manifest's `data`. */
export interface DataSource {
  index: string
  mapping?: string | undefined
  documents: string
}

const BATCH_BYTES = 128 * 1024
const BulkAnswer = z.object({ errors: z.boolean(), items: z.array(z.unknown()) })

/**
 * Fills an index from the workspace's files unless the engine has it complete. `onProgress` gets
 * bytes of the documents file. An index left half filled by an earlier stop is filled again:
 * documents keep their ids, so nothing is doubled.
 */
export async function loadData(
  connection: EngineConnection,
  root: string,
  source: DataSource,
  onProgress: (done: number, total: number) => void,
) {
  const file = join(root, source.documents)
  const total = statSync(file).size
  if (await isComplete(connection, source.index)) return
  const mapping = source.mapping ? await readFile(join(root, source.mapping), 'utf8') : '{}'
  const created = await askEngine(connection, {
    method: 'PUT',
    path: `/${encodeURIComponent(source.index)}`,
    headers: { 'content-type': 'application/json' },
    body: mapping,
  })
  if (created.status >= 400 && !created.body.includes('resource_already_exists_exception'))
    throw errors.workspaceUnreadable(
      `Index "${source.index}" could not be created from ${source.mapping}: ${created.body}`,
    )
  let done = 0
  onProgress(done, total)
  for await (const batch of batches(file)) {
    await sendBatch(connection, source.index, batch)
    done += Buffer.byteLength(batch)
    onProgress(done, total)
  }
  await askEngine(connection, {
    method: 'PUT',
    path: `/${encodeURIComponent(source.index)}/_mapping`,
    headers: { 'content-type': 'application/json' },
    body: '{"_meta":{"sluice_loaded":true}}',
  })
  await askEngine(connection, {
    method: 'POST',
    path: `/${encodeURIComponent(source.index)}/_refresh`,
  })
}

/** The mark is set after the last document, so a stop in between is seen. */
async function isComplete(connection: EngineConnection, index: string) {
  const path = `/${encodeURIComponent(index)}/_mapping`
  const answer = await askEngine(connection, { method: 'GET', path })
  return answer.status === 200 && answer.body.includes('"sluice_loaded":true')
}

async function sendBatch(connection: EngineConnection, index: string, body: string) {
  const answer = await askEngine(connection, {
    method: 'POST',
    path: `/${encodeURIComponent(index)}/_bulk`,
    headers: { 'content-type': 'application/x-ndjson' },
    body,
  })
  const parsed = BulkAnswer.safeParse(answer.status === 200 ? JSON.parse(answer.body) : undefined)
  if (parsed.success && !parsed.data.errors) return
  const why = JSON.stringify(
    parsed.data?.items.find((item) => JSON.stringify(item).includes('"error"')) ?? answer.body,
  )
  throw errors.workspaceUnreadable(
    `Documents for index "${index}" were refused: ${why.slice(0, 500)}`,
  )
}

/** Whole action and source pairs of a bulk file, in pieces of about 128 kB. */
async function* batches(file: string) {
  let batch: string[] = []
  let size = 0
  let lines = 0
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Infinity,
  })) {
    if (line === '') continue
    batch.push(line)
    size += line.length
    lines++
    if (size < BATCH_BYTES || lines % 2 === 1) continue
    yield `${batch.join('\n')}\n`
    batch = []
    size = 0
  }
  if (batch.length > 0) yield `${batch.join('\n')}\n`
}
