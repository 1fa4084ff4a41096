import type { RunSummary, StageSnapshot, Trace } from '../contract/trace.ts'
import { toHar } from './har.ts'
import { type Mask, maskAll, withAddresses } from './masking.ts'
import { type RunRecord, toSpan, toSummary } from './run-record.ts'

/** A run’s place in the queue; empty once it is gone, so that nothing keeps what it has held. */
interface Place {
  record: RunRecord | undefined
}

/** The latest runs, oldest out first when they take more than `maxBytes`. Everything read is masked. */
export function createTraceStore({
  maxBytes,
  mask: maskSecrets,
  version,
}: {
  maxBytes: number
  mask: Mask
  /** Named in HAR files. */
  version: string
}) {
  const runs = new Map<string, Place>()
  /** Oldest first, from `first` on: a map whose front is emptied all the time is slow to iterate. */
  let queue: Place[] = []
  let first = 0
  const mask = withAddresses(maskSecrets)
  let totalBytes = 0

  const drop = (place: Place) => {
    const { record } = place
    if (!record) return
    runs.delete(record.summary.runId)
    totalBytes -= record.sizeBytes
    place.record = undefined
  }
  const recordOf = (runId: string) => runs.get(runId)?.record

  const isFull = () => totalBytes > maxBytes
  /** The latest run stays, however large it is. */
  const makeRoom = () => {
    while (isFull() && runs.size > 1) {
      const oldest = queue[first++]
      if (oldest) drop(oldest)
    }
  }

  return {
    /** A run with the id of another takes its place. */
    add(record: RunRecord) {
      const before = runs.get(record.summary.runId)
      if (before) drop(before)
      const place = { record }
      runs.set(record.summary.runId, place)
      queue.push(place)
      totalBytes += record.sizeBytes
    },
    /** Counts what a record has grown by, and makes room for it. */
    grow(record: RunRecord, bytes: number) {
      if (recordOf(record.summary.runId) !== record) return
      record.sizeBytes += bytes
      totalBytes += bytes
      makeRoom()
      if (first > 1_000 && first * 2 > queue.length) {
        queue = queue.slice(first)
        first = 0
      }
    },
    /** Latest first. */
    list: (): RunSummary[] =>
      [...runs.values()]
        .flatMap(({ record }) => (record ? toSummary(record, mask) : []))
        .toReversed(),
    get(runId: string): Trace | undefined {
      const run = recordOf(runId)
      return (
        run && {
          ...toSummary(run, mask),
          spans: run.stages.map((stage) => toSpan(run, stage, mask)),
        }
      )
    },
    /** The context before and after a stage; nothing when there is no such run or stage. */
    stageSnapshot(runId: string, stageId: string): StageSnapshot | undefined {
      const stage = recordOf(runId)?.stages.find((one) => one.stage.id === stageId)
      if (!stage) return undefined
      const { input, output } = stage
      return maskAll({ runId, stageId, ...(input && { input }), ...(output && { output }) }, mask)
    },
    /** A run and what it sent as an HTTP archive. */
    har(runId: string): Record<string, unknown> | undefined {
      const run = recordOf(runId)
      return run && toHar(run, { mask, version })
    },
    sizeBytes: () => totalBytes,
  }
}

/** Keeps the latest runs. */
export type TraceStore = ReturnType<typeof createTraceStore>
