import { parentPort, workerData } from 'node:worker_threads'
import type { MergePart, MergeReply } from './index/merge.ts'
import { decodeSegment, encodeSegment } from './segment/format.ts'
import { mergeSegments } from './segment/merge.ts'

// Safe: only index/merge.ts starts this file.
const parts = workerData as readonly MergePart[]
const { segment, newDocs } = mergeSegments(
  parts.map(({ bytes, live, liveCount }) => ({ segment: decodeSegment(bytes), live, liveCount })),
)
const bytes = new Uint8Array(encodeSegment(segment))
const reply: MergeReply = { bytes, newDocs }
parentPort?.postMessage(reply, [bytes.buffer, ...newDocs.map((docs) => docs.buffer as ArrayBuffer)])
