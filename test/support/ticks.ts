import type { RunSummary, StageSnapshot } from '../../gateway/contract/trace.ts'
import { callControl, type Sluice } from './start-sluice.ts'

/** The ticks that runs of a scheduled pipeline were for, in seconds, as their stage saw them. */
export const ticksOf = (sluice: Sluice, runs: readonly RunSummary[], stageId: string) =>
  Promise.all(
    runs.map(async ({ runId }) => {
      const path = `/api/runs/${runId}/stages/${stageId}`
      const { input } = (await callControl(sluice, 'GET', path)).body as StageSnapshot
      return Date.parse(input?.request.headers['x-sluice-tick'] ?? '') / 1_000
    }),
  )

/** What a gateway's log says happened in place of a pipeline's runs. */
export const noticesOf = (sluice: Sluice, pipelineId: string) =>
  sluice
    .log()
    .split('\n')
    .filter((line) => line.includes('"event":"schedule-'))
    .map(
      (line) =>
        JSON.parse(line) as { event: string; pipelineId: string; tick: number; count: number },
    )
    .filter((notice) => notice.pipelineId === pipelineId)
