import { Worker } from 'node:worker_threads'
import { decodeSegment, encodeSegment } from '../segment/format.ts'
import { mergeSegments } from '../segment/merge.ts'
import type { Segment } from '../segment/segment.ts'
import type { Sealed } from './sealed.ts'

/** Below this many documents a merge is over before a worker would have started. */
const INLINE_DOCS = 5_000

/** One part of a merge as it travels to the worker. */
export interface MergePart {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly live: Uint8Array | null
  readonly liveCount: number
}

/** What the worker sends back. */
export interface MergeReply {
  readonly bytes: Uint8Array
  readonly newDocs: readonly Int32Array[]
}

interface Merged {
  readonly segment: Segment
  readonly newDocs: readonly Int32Array[]
}

async function mergeInWorker(parts: readonly Sealed[]): Promise<Merged> {
  const messages = parts.map(
    // Copied, because the encoded form may be a view of something larger.
    ({ segment, live, liveCount }): MergePart => ({
      bytes: new Uint8Array(encodeSegment(segment)),
      live,
      liveCount,
    }),
  )
  const worker = new Worker(new URL('../build-worker.ts', import.meta.url), {
    workerData: messages,
    transferList: messages.map(({ bytes }) => bytes.buffer),
  })
  const reply = await new Promise<MergeReply>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the build worker ended without an answer')))
  })
  return { segment: decodeSegment(reply.bytes), newDocs: reply.newDocs }
}

/** Joins segments; large ones in a worker, so that requests do not wait. */
export async function merge(parts: readonly Sealed[]): Promise<Merged> {
  const docs = parts.reduce((sum, { liveCount }) => sum + liveCount, 0)
  return docs < INLINE_DOCS ? mergeSegments(parts) : mergeInWorker(parts)
}

/** Documents of the merged segment whose originals died after the merge had begun. */
export function diedSince(
  parts: readonly Sealed[],
  newDocs: readonly Int32Array[],
  current: readonly Sealed[],
): number[] {
  const now = new Map(current.map((one) => [one.n, one]))
  const dead: number[] = []
  for (const [i, { n, segment, live }] of parts.entries()) {
    const latest = now.get(n)
    if (latest && latest.live === live) continue
    for (let doc = 0; doc < segment.docCount; doc++) {
      const wasAlive = live === null || live[doc] === 1
      const isAlive = latest !== undefined && (latest.live === null || latest.live[doc] === 1)
      if (wasAlive && !isAlive) dead.push(newDocs[i]![doc]!)
    }
  }
  return dead
}
