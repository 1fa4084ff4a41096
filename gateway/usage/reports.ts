import type {
  ErrorRate,
  PipelinesUsage,
  StagesUsage,
  TimeTaken,
  UsageRange,
  VersionsUsage,
} from '../contract/gateway-api/usage.ts'
import { errors } from '../errors.ts'
import { createCounter } from './counter.ts'
import { toFigures, toHistogram } from './figures.ts'
import type { PipelineUsage } from './pipeline-usage.ts'
import type { UsageGroup, UsageQuery } from './usage-store.ts'

/** A pipeline, or one version of it. */
export interface Used {
  id: string
  v?: number
}

interface Services {
  usage: PipelineUsage
  /** Whether there is such a pipeline, or such a version of it; what is gone may still have figures. */
  hasPipeline(id: string, version?: number): boolean
}

const NEVER: UsageGroup = { key: null, lastUsed: 0, ...createCounter() }

/**
 * What the usage calls answer.
 * @throws {GatewayError} NOT_FOUND when the pipeline or version neither exists nor was ever used.
 */
export function createUsageReports({ usage, hasPipeline }: Services) {
  async function groupsOf(by: UsageQuery['by'], { from, to, size }: UsageRange, of?: Used) {
    const since = performance.now()
    const { groups, total } = await usage.groups({
      by,
      size,
      ...(of && { pipelineId: of.id }),
      ...(of?.v !== undefined && { version: of.v }),
      ...(from !== undefined && { fromDay: from }),
      ...(to !== undefined && { toDay: to }),
    })
    return { groups, total, took: Math.round((performance.now() - since) * 1_000) / 1_000 }
  }

  /** The sums of one pipeline or version in a range. */
  async function sumOf(of: Used, range: UsageRange) {
    const [sum] = (await groupsOf('pipeline', { ...range, size: 1 }, of)).groups
    if (sum) return sum
    if (hasPipeline(of.id, of.v)) return NEVER
    const [ever] = (await groupsOf('pipeline', { size: 1 }, of)).groups
    if (ever) return NEVER
    const version = of.v === undefined ? '' : `version ${of.v} of `
    throw errors.notFound(`There is no ${version}pipeline "${of.id}", and no run of one is counted`)
  }

  return {
    async pipelines(range: UsageRange): Promise<PipelinesUsage> {
      const { groups, ...listed } = await groupsOf('pipeline', range)
      const toEntry = (group: UsageGroup) => ({
        pipeline_id: String(group.key),
        ...toFigures(group),
      })
      return { pipelines: groups.map(toEntry), ...listed }
    },
    async stages(of: Used, range: UsageRange): Promise<StagesUsage> {
      await sumOf(of, range)
      const { groups, ...listed } = await groupsOf('stage', range, of)
      const toEntry = (group: UsageGroup) => ({ id: String(group.key), ...toFigures(group) })
      return { pipeline_id: of.id, stages: groups.map(toEntry), ...listed }
    },
    async versions(of: Used, range: UsageRange): Promise<VersionsUsage> {
      await sumOf(of, range)
      const { groups, ...listed } = await groupsOf('version', range, of)
      const toEntry = (group: UsageGroup) => ({
        version: group.key === null ? null : Number(group.key),
        ...toFigures(group),
      })
      return { pipeline_id: of.id, versions: groups.map(toEntry), ...listed }
    },
    async timeTaken(of: Used, range: UsageRange): Promise<TimeTaken> {
      const sum = await sumOf(of, range)
      const { groups } = await groupsOf('day', range, of)
      return {
        ...named(of),
        ...timesOf(sum),
        histogram: toHistogram(sum),
        days: groups.map((group) => ({ date: String(group.key), ...timesOf(group) })),
      }
    },
    async errorRate(of: Used, range: UsageRange): Promise<ErrorRate> {
      const sum = await sumOf(of, range)
      const { groups } = await groupsOf('day', range, of)
      return {
        ...named(of),
        ...rateOf(sum),
        days: groups.map((group) => ({ date: String(group.key), ...rateOf(group) })),
      }
    },
  }
}

/** What the usage calls of the gateway API answer. */
export type UsageReports = ReturnType<typeof createUsageReports>

const named = ({ id, v }: Used) => ({ pipeline_id: id, ...(v !== undefined && { version: v }) })

function timesOf(group: UsageGroup) {
  const { errors: _errors, error_rate: _rate, last_used: _last, ...times } = toFigures(group)
  return times
}

function rateOf(group: UsageGroup) {
  const { calls, errors, error_rate } = toFigures(group)
  return { calls, errors, error_rate }
}
