import type { Trigger } from '../contract/pipeline.ts'
import { type CronSchedule, parseSchedule } from './cron-schedule.ts'
import type { Expression } from './trigger/node.ts'
import { parseExpression } from './trigger/parse.ts'

/** A pipeline's trigger, compiled. Times are epoch milliseconds. */
export interface PlannedTrigger {
  readonly type: 'always' | 'filter' | 'index' | 'query' | 'cron'
  readonly expression?: Expression
  /** Of a cron trigger, in place of an expression. */
  readonly schedule?: CronSchedule
  /** Inclusive. */
  readonly startTime?: number
  /** Exclusive. */
  readonly endTime?: number
  /** Whether the body of a request must be read before the trigger can be decided. */
  readonly needsBody: boolean
}

/** Names whose values come from the body. */
const FROM_BODY = ['$query', '$type', '$filter', '$customEvents', 'context', 'envs']

/**
 * Compiles a trigger that has been checked.
 * @throws {ExpressionError} when its expression or schedule does not parse.
 */
export function compileTrigger(trigger: Trigger | undefined): PlannedTrigger {
  const type = trigger?.type ?? 'always'
  const text = trigger?.expression?.trim()
  const expression = text && type !== 'cron' ? parseExpression(text) : undefined
  return {
    type,
    expression,
    ...(text && type === 'cron' && { schedule: parseSchedule(text) }),
    startTime: toEpochMs(trigger?.timeframe?.start_time),
    endTime: toEpochMs(trigger?.timeframe?.end_time),
    needsBody:
      type === 'query' ||
      type === 'filter' ||
      FROM_BODY.some((name) => expression?.names.has(name)),
  }
}

/** Epoch milliseconds of unix seconds or ISO 8601 text; NaN when it is neither. */
export function toEpochMs(time: number | string | undefined): number | undefined {
  if (time === undefined) return undefined
  if (typeof time === 'number') return time * 1000
  return /^\d+(\.\d+)?$/.test(time) ? Number(time) * 1000 : Date.parse(time)
}
