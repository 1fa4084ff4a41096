import { z } from 'zod'
import {
  LogListQuery,
  LogPage,
  LogRecord,
  LogRecordQuery,
} from '../../../contract/gateway-api/logs.ts'
import { errors } from '../../../errors.ts'
import { parseLossless } from '../../../trace/parse-lossless.ts'
import { type ApiRoute, defineRoute } from '../define-route.ts'

const ById = z.object({ id: z.string() })
const DAY_MS = 86_400_000

/** What is known of runs whose route records logs. */
export const logRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/_pipelines/logs',
    summary: 'Logged runs of all pipelines',
    access: 'admin',
    query: LogListQuery,
    response: LogPage,
    handler: async ({ query }, { logs }) => ({ body: await logs.list(toLogQuery(query)) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/_pipeline/{id}/logs',
    summary: 'Logged runs of one pipeline',
    access: 'admin',
    params: ById,
    query: LogListQuery,
    response: LogPage,
    failures: [404],
    async handler({ params: { id }, query }, { logs, hasPipeline }) {
      const page = await logs.list({ ...toLogQuery(query), pipelineId: id })
      if (page.total === 0 && !hasPipeline(id)) {
        // Runs of a pipeline that is gone by now are still in the log.
        const ever = await logs.list({ ...toLogQuery(LogListQuery.parse({})), pipelineId: id })
        if (ever.total === 0)
          throw errors.notFound(`There is no pipeline "${id}", and no log of one with this id`)
      }
      return { body: page }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/_pipelines/log/{id}',
    summary: 'One logged run with its stages; `verbose` for whole contexts instead of differences',
    access: 'admin',
    params: ById,
    query: LogRecordQuery,
    response: LogRecord,
    failures: [404],
    async handler({ params: { id }, query }, { logs }) {
      const text = await logs.get(id, query.verbose === 'true')
      if (text === undefined)
        throw errors.notFound(
          `There is no log record "${id}": its route has no recordLogs, or newer records took its place`,
        )
      // Safe: the thread made it of a LogRecord. Long numbers come as raw JSON and leave as they were.
      return { body: parseLossless(text) as LogRecord }
    },
  }),
]

function toLogQuery({ start_date, end_date, category, sort_by, from, size }: LogListQuery) {
  return {
    from,
    size,
    order: sort_by,
    ...(category && { category }),
    ...(start_date !== undefined && { startTime: Date.parse(start_date) }),
    ...(end_date !== undefined && { endTime: Date.parse(end_date) + DAY_MS }),
  }
}
