import type { PipelineLogs } from '../../logs/pipeline-logs.ts'
import type { UsageReports } from '../../usage/reports.ts'
import type { GlobalEnvStore } from '../../envs/global-env-store.ts'
import type { PipelineLibrary } from '../../library/library.ts'
import type { Mask } from '../../trace/masking.ts'
import type { Drafts } from './create-drafts.ts'
import type { Trials } from './trials.ts'

/** What the handlers of the gateway API work with; each feature adds its own part. */
export interface ApiServices extends Drafts {
  library: PipelineLibrary
  globalEnvs: GlobalEnvStore
  trials: Trials
  /** What `context.envs` gets from outside a pipeline; `globals` stand for those of the store. */
  runEnvs(globals: Readonly<Record<string, string>>): Readonly<Record<string, unknown>>
  /** Hides every secret the gateway knows at this moment. */
  maskOfNow(): Mask
  /** Sends anywhere the outbound rules allow; any status is an answer. */
  callOut(
    request: {
      method: string
      url: string
      headers: Record<string, string>
      body: string
      redirect: 'manual'
    },
    signal: AbortSignal,
  ): Promise<{ status: number }>
  /** Writes down for good who did what; durable when it returns. */
  audit(entry: { action: string; username: string; key: string }): void
  /** Records of runs whose route asks for them. */
  logs: PipelineLogs
  /** How often pipelines are used, and how they do. */
  usage: UsageReports
  /** Whether there is such a pipeline, or such a version of it. */
  hasPipeline(id: string, version?: number): boolean
  /** The program's own. */
  version: string
  /** JSON schema of the pipeline definition. */
  pipelineSchema(): Record<string, unknown>
}
