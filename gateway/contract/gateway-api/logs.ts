import { z } from 'zod'
import { HeaderMap } from '../context.ts'
import { RunStatus, SpanError, StageStatus } from '../trace.ts'
import { Day, inOrder, oneOf, queryOf, wholeNumber } from './query-parts.ts'

/** What a logged request was for. */
export const LogKind = z.enum(['search', 'suggestion', 'index', 'delete'])
export type LogKind = z.infer<typeof LogKind>

/** What lists can be asked for: a kind of request, or how it went (below 400, or not). */
export const LogCategory = z.enum([...LogKind.options, 'success', 'error'])
export type LogCategory = z.infer<typeof LogCategory>

/** Orders of a list. */
export const LogOrder = z.enum(['timestamp_desc', 'timestamp_asc', 'latency_desc', 'latency_asc'])
export type LogOrder = z.infer<typeof LogOrder>

/**
 * One run of a route with `recordLogs`, as lists show it; domain, section 3.5. Bodies are cut at 1,000
 * characters, secrets are dots. `took` is in milliseconds with fractions.
 */
export const LogSummary = z.object({
  /** The run's id, which its trace has, too. */
  id: z.string(),
  pipeline_id: z.string(),
  version: z.number().int().optional(),
  /** As the pipeline declares it. */
  route: z.object({ path: z.string(), method: z.string() }),
  category: z.string().optional(),
  acl: z.string().optional(),
  kind: LogKind.optional(),
  /** ISO 8601, of the run's start. */
  timestamp: z.string(),
  took: z.number(),
  status: RunStatus,
  /** Ids of stages that failed and were stepped over, after the answer as well. */
  continued: z.array(z.string()),
  error: SpanError.extend({ stageId: z.string().optional() }).optional(),
  request: z.object({
    method: z.string(),
    /** Path and query as the client sent them. */
    uri: z.string(),
    headers: HeaderMap,
    body: z.string(),
  }),
  response: z.object({ code: z.number().int(), headers: HeaderMap, body: z.string() }),
})
export type LogSummary = z.infer<typeof LogSummary>

/** What one stage did. */
export const LoggedStage = z.object({
  id: z.string(),
  /** Name of the pre-built stage; absent for scripts. */
  use: z.string().optional(),
  async: z.boolean(),
  status: StageStatus,
  /** Why it was skipped. */
  reason: z.string().optional(),
  error: SpanError.optional(),
  /** Milliseconds with fractions; absent when it did not run. */
  took: z.number().optional(),
  /** Values of the context that are new or other than before, unless `verbose`. */
  changes: z.record(z.string(), z.unknown()).optional(),
  /** Keys of the context that were taken away, unless `verbose`; `envs.key` within a fixed map. */
  removed: z.array(z.string()).optional(),
  /** With `verbose`: JSON text of the context after the stage. */
  context: z.string().optional(),
})
export type LoggedStage = z.infer<typeof LoggedStage>

/** One run in full. */
export const LogRecord = LogSummary.extend({
  /** JSON text of the context after the last stage. */
  context: z.string(),
  /** In the order in which they ended. */
  stageChanges: z.array(LoggedStage),
  /** True when `stageChanges` has differences, false when it has contexts. */
  diffLogs: z.boolean(),
  /** What scripts wrote to their console, in order. */
  console_logs: z.array(z.string()),
})
export type LogRecord = z.infer<typeof LogRecord>

/** One page of a list. */
export const LogPage = z.object({
  logs: z.array(LogSummary),
  /** How many fit, on all pages. */
  total: z.number().int(),
  /** Milliseconds the list took. */
  took: z.number(),
  /** Records lost since the gateway started, because they came faster than the disk takes them. */
  dropped: z.number().int(),
})
export type LogPage = z.infer<typeof LogPage>

const LIST_SIZE = 100
const MOST_LISTED = 1_000

/** Which records a list is to have; domain, section 3.5. Both days belong to it. */
export const LogListQuery = queryOf({
  from: wholeNumber(0, 'How many to pass over'),
  size: wholeNumber(
    LIST_SIZE,
    `How many to list; above ${MOST_LISTED} counts as ${LIST_SIZE}`,
  ).transform((size) => (size > MOST_LISTED ? LIST_SIZE : size)),
  start_date: Day.optional(),
  end_date: Day.optional(),
  category: oneOf(LogCategory).optional(),
  sort_by: oneOf(LogOrder).default('timestamp_desc'),
}).superRefine(inOrder('start_date', 'end_date'))
export type LogListQuery = z.infer<typeof LogListQuery>

/** How one record is to be shown. */
export const LogRecordQuery = queryOf({
  verbose: oneOf(z.enum(['true', 'false'])).default('false'),
})
