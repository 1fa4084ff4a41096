import { randomUUID } from 'node:crypto'
import type { GatewayEvent } from '../contract/events.ts'
import type { Limits } from '../contract/limits.ts'
import type { RouteMatch } from '../pipeline/match.ts'
import type { Plan } from '../pipeline/plan.ts'
import { scheduledMatch } from '../pipeline/scheduled-match.ts'
import type { RunObserver, RunTally } from '../runtime/observer.ts'
import { executeRun } from '../runtime/run.ts'
import type { RunGate } from '../runtime/run-gate.ts'
import type { RunServices } from '../runtime/run-request.ts'
import { type Claim, createScheduler } from '../schedule/scheduler.ts'
import type { ScriptProgram } from '../scripting/sandbox.ts'
import type { StageDefinition } from '../stages/define.ts'
import { log } from './log.ts'

type Match = RouteMatch<StageDefinition>

interface SchedulingServices {
  claim: Claim
  /** Global envs, overlaid with those of the selected environment. */
  envs(): Readonly<Record<string, unknown>>
  /** The scripts of a plan, loaded until `release`. */
  hold(plan: Plan<StageDefinition>): { program: ScriptProgram; release(): void } | undefined
  runServices: RunServices
  observers(asked: boolean, match: Match): readonly RunObserver[]
  tallyOf(match: Match): (tally: RunTally) => void
  gate: RunGate
  limits(): Limits
  emit(event: GatewayEvent): void
}

/** Runs the pipelines whose trigger is a cron schedule; each run is one like any other. */
export function createScheduling(services: SchedulingServices) {
  const { gate, limits } = services

  async function run(plan: Plan<StageDefinition>, tick: number, signal: AbortSignal) {
    const { match, request } = scheduledMatch(plan, tick)
    const entry = gate.enter(0, signal)
    if (entry !== true && !(await entry)) return
    const scripts = services.hold(plan)
    let background: Promise<void> | undefined
    try {
      const result = await executeRun({
        runId: randomUUID(),
        match,
        request,
        ...(scripts && { program: scripts.program }),
        services: services.runServices,
        envs: services.envs(),
        // Nobody sends these requests, so nobody could ask for their traces either.
        observers: services.observers(true, match),
        tally: services.tallyOf(match),
        signal,
        limits: limits(),
      })
      background = result.background
      if (result.error)
        log.warn('scheduled-run-failed', {
          pipelineId: plan.pipelineId,
          message: result.error.message,
        })
    } finally {
      gate.leave(background)
      await background
      scripts?.release()
    }
  }

  const scheduler = createScheduler<Plan<StageDefinition>>({
    claim: services.claim,
    run,
    report(notice) {
      const level = notice.kind === 'failed' ? 'error' : 'warn'
      log[level](`schedule-${notice.kind}`, { ...notice })
      services.emit({ type: 'schedule', notice })
    },
  })

  return {
    /** Takes over the plans that are served from now on. */
    serve: (plans: readonly Plan<StageDefinition>[]) =>
      scheduler.plan(
        plans.flatMap((plan) => {
          const { schedule, startTime, endTime } = plan.trigger
          const { pipelineId, enabled, isLive = true } = plan
          return schedule && enabled && isLive
            ? { pipelineId, schedule, startTime, endTime, work: plan }
            : []
        }),
      ),
    close: scheduler.close,
  }
}
