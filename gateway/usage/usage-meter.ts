import type { RunTally } from '../runtime/observer.ts'
import { count, type Counter, createCounter } from './counter.ts'

/** The part of a plan that is counted by. */
export interface CountedPlan {
  readonly pipelineId: string
  readonly version?: number
  readonly stages: readonly { readonly id: string }[]
}

/** What was counted of a pipeline, or of one of its stages, since the last time. */
export interface UsageRow extends Counter {
  pipelineId: string
  /** Null for the built-in declarative route. */
  version: number | null
  /** Null for the runs themselves. */
  stageId: string | null
}

interface Counted {
  plan: CountedPlan
  runs: Counter
  stages: Counter[]
}

/**
 * Counts runs in memory. A plan's counters are found once, so that a run costs additions only;
 * `whenUsed` is called when there is something to take after there was nothing.
 */
export function createUsageMeter(whenUsed: () => void) {
  const meters = new WeakMap<CountedPlan, (tally: RunTally) => void>()
  let used = new Set<Counted>()

  function meter(plan: CountedPlan) {
    const counted: Counted = { plan, ...fresh(plan) }
    return ({ code, tookMs, error, stageMs, hasFailed }: RunTally) => {
      if (used.size === 0) whenUsed()
      used.add(counted)
      // A client that left says nothing about the pipeline.
      count(counted.runs, tookMs, code >= 400 && error?.code !== 'RUN_TERMINATED')
      for (let index = 0; index < stageMs.length; index++) {
        const ms = stageMs[index]
        const stage = counted.stages[index]
        if (ms !== undefined && stage) count(stage, ms, hasFailed(index))
      }
    }
  }

  return {
    /** What a run of this plan is counted by. */
    of(plan: CountedPlan) {
      let known = meters.get(plan)
      if (!known) meters.set(plan, (known = meter(plan)))
      return known
    },
    /** Everything counted since the last time; the counters begin anew. */
    take(): UsageRow[] {
      const taken = used
      used = new Set()
      return [...taken].flatMap((counted) => {
        const rows = toRows(counted)
        Object.assign(counted, fresh(counted.plan))
        return rows
      })
    },
  }
}

const fresh = ({ stages }: CountedPlan) => ({
  runs: createCounter(),
  stages: stages.map(createCounter),
})

function toRows({ plan, runs, stages }: Counted): UsageRow[] {
  const of = { pipelineId: plan.pipelineId, version: plan.version ?? null }
  return [
    { ...of, stageId: null, ...runs },
    ...stages.flatMap((counter, index) => {
      const stageId = plan.stages[index]?.id
      return stageId !== undefined && counter.calls > 0 ? { ...of, stageId, ...counter } : []
    }),
  ]
}
