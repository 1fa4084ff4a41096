import type { Limits } from '../contract/limits.ts'
import { createPipelineLogs } from '../logs/pipeline-logs.ts'
import type { RouteMatch } from '../pipeline/match.ts'
import { createPipelineUsage } from '../usage/pipeline-usage.ts'
import { createUsageReports } from '../usage/reports.ts'
import { log } from './log.ts'

interface Parts {
  dataDir: string
  limits(): Limits
  /** Every secret value known at this moment. */
  secrets(): Iterable<string>
  /** Whether there is such a pipeline, or such a version of it. */
  hasPipeline(id: string, version?: number): boolean
}

/** What outlives a run: its record, when its route asks for one, and the figures it adds to. */
export function createRunRecords({ dataDir, limits, secrets, hasPipeline }: Parts) {
  const logs = createPipelineLogs({ dataDir, limits, secrets, warn: log.warn })
  const usage = createPipelineUsage({ dataDir, limits, warn: log.warn })
  return {
    /** Who watches a run for the logs; nobody unless its route says `recordLogs`. */
    observersOf: ({ route, plan }: RouteMatch) =>
      logs.observersOf({
        route,
        ...(plan.version !== undefined && { version: plan.version }),
      }),
    tallyOf: ({ plan }: RouteMatch) => usage.of(plan),
    /** For the handlers of the gateway API. */
    services: { logs, hasPipeline, usage: createUsageReports({ usage, hasPipeline }) },
    async close() {
      await Promise.all([logs.close(), usage.close()])
    },
  }
}
