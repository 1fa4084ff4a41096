import type { z } from 'zod'
import { PipelinePath, VersionPath } from '../../../contract/gateway-api/pipelines.ts'
import {
  ErrorRate,
  PipelinesUsage,
  StagesUsage,
  TimeTaken,
  UsageRange,
  VersionsUsage,
} from '../../../contract/gateway-api/usage.ts'
import type { UsageReports } from '../../../usage/reports.ts'
import { type ApiRoute, defineRoute } from '../define-route.ts'

/** Figures of one pipeline, or of one version of it, by the path that asks for them. */
const usageOf = <Answer extends z.ZodType>(
  path: string,
  {
    summary,
    params,
    response,
    report,
  }: {
    summary: string
    params: typeof PipelinePath | typeof VersionPath
    response: Answer
    report(
      reports: UsageReports,
    ): (of: { id: string; v?: number }, range: UsageRange) => Promise<z.input<Answer>>
  },
): ApiRoute =>
  defineRoute({
    method: 'GET',
    path: `/_analytics/pipeline/{id}${path}`,
    summary,
    access: 'admin',
    params,
    query: UsageRange,
    response,
    failures: [404],
    handler: async ({ params, query }, { usage }) => ({ body: await report(usage)(params, query) }),
  })

const stages = {
  summary: 'Calls, times and error rates of the stages of a pipeline',
  params: PipelinePath,
  response: StagesUsage,
  report: (usage: UsageReports) => usage.stages,
}
const versions = {
  summary: 'Calls, times and error rates of the versions of a pipeline',
  params: PipelinePath,
  response: VersionsUsage,
  report: (usage: UsageReports) => usage.versions,
}
const times = { response: TimeTaken, report: (usage: UsageReports) => usage.timeTaken }
const rates = { response: ErrorRate, report: (usage: UsageReports) => usage.errorRate }

/** How often pipelines are used, and how they do. Every run counts, logged or not. */
export const usageRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/_analytics/pipelines/usage',
    summary: 'Calls, times and error rates of all pipelines',
    access: 'admin',
    query: UsageRange,
    response: PipelinesUsage,
    handler: async ({ query }, { usage }) => ({ body: await usage.pipelines(query) }),
  }),
  usageOf('/stages/usage', stages),
  usageOf('/versions/usage', versions),
  usageOf('/time-taken', {
    summary: 'How long the runs of a pipeline took',
    params: PipelinePath,
    ...times,
  }),
  usageOf('/version/{v}/time-taken', {
    summary: 'How long the runs of one version took',
    params: VersionPath,
    ...times,
  }),
  usageOf('/error-rate', {
    summary: 'How often the runs of a pipeline failed',
    params: PipelinePath,
    ...rates,
  }),
  usageOf('/version/{v}/error-rate', {
    summary: 'How often the runs of one version failed',
    params: VersionPath,
    ...rates,
  }),
]
