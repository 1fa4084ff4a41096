import type { RunSummary, StageSnapshot, Trace } from '../contract/trace.ts'
import { toHar } from './har.ts'
import { type Mask, maskAll, withAddresses } from './masking.ts'
import { type RunRecord, toSpan, toSummary } from './run-record.ts'

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
  const runs = new Map<string, RunRecord>()
  const mask = withAddresses(maskSecrets)
  let totalBytes = 0

  return {
    add(record: RunRecord) {
      const before = runs.get(record.summary.runId)
      if (before) totalBytes -= before.sizeBytes
      runs.delete(record.summary.runId)
      runs.set(record.summary.runId, record)
      totalBytes += record.sizeBytes
    },
    /** Counts what a record has grown by, and makes room for it. */
    grow(record: RunRecord, bytes: number) {
      if (runs.get(record.summary.runId) !== record) return
      record.sizeBytes += bytes
      totalBytes += bytes
      for (const [runId, oldest] of runs) {
        // The latest run stays, however large it is.
        if (totalBytes <= maxBytes || runs.size === 1) break
        totalBytes -= oldest.sizeBytes
        runs.delete(runId)
      }
    },
    /** Latest first. */
    list: (): RunSummary[] => [...runs.values()].map((run) => toSummary(run, mask)).toReversed(),
    get(runId: string): Trace | undefined {
      const run = runs.get(runId)
      return (
        run && {
          ...toSummary(run, mask),
          spans: run.stages.map((stage) => toSpan(run, stage, mask)),
        }
      )
    },
    /** The context before and after a stage; nothing when there is no such run or stage. */
    stageSnapshot(runId: string, stageId: string): StageSnapshot | undefined {
      const stage = runs.get(runId)?.stages.find((one) => one.stage.id === stageId)
      if (!stage) return undefined
      const { input, output } = stage
      return maskAll({ runId, stageId, ...(input && { input }), ...(output && { output }) }, mask)
    },
    /** A run and what it sent as an HTTP archive. */
    har(runId: string): Record<string, unknown> | undefined {
      const run = runs.get(runId)
      return run && toHar(run, { mask, version })
    },
    sizeBytes: () => totalBytes,
  }
}

/** Keeps the latest runs. */
export type TraceStore = ReturnType<typeof createTraceStore>
