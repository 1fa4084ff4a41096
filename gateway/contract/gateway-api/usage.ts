import { z } from 'zod'
import { Day, inOrder, queryOf, wholeNumber } from './query-parts.ts'

/**
 * How a pipeline, a version or a stage was used. Times are milliseconds; those of shares (`p50_time`
 * and so on) are estimated from a histogram, and absent figures mean that nothing was counted.
 */
export const UsageFigures = z.object({
  calls: z.number().int(),
  /** Of a pipeline: answers with a status from 400 on. Of a stage: failures, continued ones included. */
  errors: z.number().int(),
  /** Errors per call, from 0 to 1. */
  error_rate: z.number(),
  average_time: z.number(),
  p50_time: z.number(),
  p95_time: z.number(),
  p99_time: z.number(),
  max_time: z.number(),
  /** ISO 8601; null when it was never used. */
  last_used: z.string().nullable(),
})
export type UsageFigures = z.infer<typeof UsageFigures>

const Listed = { total: z.number().int(), took: z.number() }

/** Pipelines, those with the most calls first. */
export const PipelinesUsage = z.object({
  pipelines: z.array(UsageFigures.extend({ pipeline_id: z.string() })),
  ...Listed,
})
export type PipelinesUsage = z.infer<typeof PipelinesUsage>

/** Stages of one pipeline, those with the most calls first; a stage that was skipped is no call. */
export const StagesUsage = z.object({
  pipeline_id: z.string(),
  stages: z.array(UsageFigures.extend({ id: z.string() })),
  ...Listed,
})
export type StagesUsage = z.infer<typeof StagesUsage>

/** Versions of one pipeline; the built-in declarative route has none. */
export const VersionsUsage = z.object({
  pipeline_id: z.string(),
  versions: z.array(UsageFigures.extend({ version: z.number().int().nullable() })),
  ...Listed,
})
export type VersionsUsage = z.infer<typeof VersionsUsage>

const OfPipeline = z.object({ pipeline_id: z.string(), version: z.number().int().optional() })
const Times = UsageFigures.omit({ errors: true, error_rate: true, last_used: true })
const Rate = UsageFigures.pick({ calls: true, errors: true, error_rate: true })
/** A day in UTC, `yyyy-MM-dd`. */
const OnDay = { date: z.string() }

/** How long the runs of a pipeline or of one version took. */
export const TimeTaken = OfPipeline.extend(Times.shape).extend({
  /** Runs by how long they took; `up_to` is null for those above the last bound. */
  histogram: z.array(z.object({ up_to: z.number().nullable(), calls: z.number().int() })),
  days: z.array(Times.extend(OnDay)),
})
export type TimeTaken = z.infer<typeof TimeTaken>

/** How often the runs of a pipeline or of one version failed. */
export const ErrorRate = OfPipeline.extend(Rate.shape).extend({
  days: z.array(Rate.extend(OnDay)),
})
export type ErrorRate = z.infer<typeof ErrorRate>

const LIST_SIZE = 1_000

/** The days figures are asked for, both inclusive, and how many groups are listed. */
export const UsageRange = queryOf({
  from: Day.optional(),
  to: Day.optional(),
  size: wholeNumber(LIST_SIZE, 'How many to list'),
}).superRefine(inOrder('from', 'to'))
export type UsageRange = z.infer<typeof UsageRange>
