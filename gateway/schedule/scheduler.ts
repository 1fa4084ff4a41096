import type { ScheduleNotice } from '../contract/schedule.ts'
import { errors } from '../errors.ts'
import type { CronSchedule } from '../pipeline/cron-schedule.ts'

/**
 * Whether this gateway is the one that runs a pipeline's tick; of several that share their state one
 * is told yes. `tick` is epoch milliseconds, whole seconds, and the same for all of them.
 */
export type Claim = (pipelineId: string, tick: number) => Promise<boolean>

/** Something that runs on a schedule. `work` is replaced when the pipeline is saved anew. */
export interface ScheduledWork<Work> {
  pipelineId: string
  schedule: CronSchedule
  /** Bounds of its timeframe, epoch milliseconds: start inclusive, end exclusive. */
  startTime?: number
  endTime?: number
  work: Work
}

interface Services<Work> {
  claim: Claim
  /** Settles when everything the run does is done; `signal` aborts when the program ends. */
  run(work: Work, tick: number, signal: AbortSignal): Promise<void>
  report(notice: ScheduleNotice): void
}

interface Job<Work> extends ScheduledWork<Work> {
  /** The next tick. */
  due: number
  timer?: NodeJS.Timeout
}

interface Run {
  /** Ticks that came while it was going. */
  leftOut: number[]
  done: Promise<void>
}

/** A tick this late is run all the same: a busy machine is no reason to leave it out. */
const LATE_MS = 10_000
/** Long waits are cut, because the clock may be set or the machine sleep in between. */
const LONGEST_WAIT_MS = 30_000
/** More ticks than these are not counted one by one. */
const MOST_COUNTED = 500

/**
 * Runs pipelines on their schedules. Ticks that were missed are reported and not caught up, but for
 * the last one when it is only a little late; a tick that comes while the run before is still going
 * is left out.
 */
export function createScheduler<Work>(services: Services<Work>) {
  const jobs = new Map<string, Job<Work>>()
  /** Outlives a job, so that a pipeline that comes back still waits for its own run. */
  const running = new Map<string, Run>()
  const stopper = new AbortController()

  function arm(job: Job<Work>) {
    clearTimeout(job.timer)
    const wait = Math.min(LONGEST_WAIT_MS, Math.max(0, job.due - Date.now()))
    job.timer = setTimeout(wake, wait, job).unref()
  }

  function wake(job: Job<Work>) {
    const now = Date.now()
    if (now >= job.due) handle(job, now)
    else arm(job)
  }

  /** Everything that was due until `now`: the last tick runs, those before it were missed. */
  function handle(job: Job<Work>, now: number) {
    const { pipelineId } = job
    const { tick, before, isExact } = latest(job, now)
    const isLate = now - tick > LATE_MS
    const missed = before + Number(isLate)
    if (missed > 0 && (isInTimeframe(job, job.due) || isInTimeframe(job, tick)))
      services.report({
        pipelineId,
        kind: 'missed',
        tick: job.due,
        count: missed,
        message:
          missed === 1
            ? `The run of ${toText(job.due)} did not happen: the gateway was not awake. It is not caught up`
            : `${isExact ? '' : 'At least '}${missed} runs from ${toText(job.due)} on did not happen: the gateway was not awake. They are not caught up`,
      })
    const next = job.schedule.next(tick)
    if (isInTimeframe(job, tick) && !isLate) start(job, tick)
    if (next === undefined) {
      jobs.delete(pipelineId)
      return
    }
    job.due = next
    arm(job)
  }

  function start({ pipelineId, work }: Job<Work>, tick: number) {
    const before = running.get(pipelineId)
    if (before) {
      before.leftOut.push(tick)
      return
    }
    const run: Run = { leftOut: [], done: Promise.resolve() }
    running.set(pipelineId, run)
    run.done = claimAndRun(pipelineId, work, tick).then(() => {
      running.delete(pipelineId)
      reportLeftOut(pipelineId, tick, run.leftOut)
    })
  }

  /** One notice a run, however many ticks it slept through. */
  function reportLeftOut(pipelineId: string, tick: number, [first, ...more]: readonly number[]) {
    if (first === undefined) return
    const count = 1 + more.length
    services.report({
      pipelineId,
      kind: 'overlap',
      tick: first,
      count,
      message: `${count} ${count === 1 ? 'run was' : 'runs were'} left out from ${toText(first)} on: the run of ${toText(tick)} was still going`,
    })
  }

  async function claimAndRun(pipelineId: string, work: Work, tick: number) {
    try {
      if (await services.claim(pipelineId, tick)) await services.run(work, tick, stopper.signal)
    } catch (problem) {
      const why = problem instanceof Error ? problem.message : String(problem)
      const message = `The run of ${toText(tick)} could not begin: ${why}`
      services.report({ pipelineId, kind: 'failed', tick, count: 1, message })
    }
  }

  return {
    /**
     * Takes over what is scheduled from now on. Who keeps its schedule keeps its next tick; who has
     * another one than before goes on from where the old one stood.
     */
    plan(all: readonly ScheduledWork<Work>[]) {
      if (stopper.signal.aborted) return
      const wanted = new Map(all.map((one) => [one.pipelineId, one]))
      for (const [pipelineId, job] of jobs)
        if (!wanted.has(pipelineId)) {
          clearTimeout(job.timer)
          jobs.delete(pipelineId)
        }
      for (const one of wanted.values()) {
        const now = Date.now()
        let job = jobs.get(one.pipelineId)
        // Its timer may be late: what was due under the old plan must not be lost with it.
        if (job && now >= job.due) handle(job, now)
        job = jobs.get(one.pipelineId)
        if (job?.schedule.text === one.schedule.text) {
          Object.assign(job, { startTime: undefined, endTime: undefined }, one)
          continue
        }
        clearTimeout(job?.timer)
        const due = one.schedule.next(now)
        if (due === undefined) continue
        const next: Job<Work> = { ...one, due }
        jobs.set(one.pipelineId, next)
        arm(next)
      }
    },
    /** Starts nothing more, stops what runs and waits for it to end. */
    async close() {
      for (const { timer } of jobs.values()) clearTimeout(timer)
      jobs.clear()
      stopper.abort(errors.runTerminated('The gateway is being stopped'))
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

/** The last tick until `now`, how many were due before it, and whether all were counted. */
function latest({ schedule, due }: Job<unknown>, now: number) {
  let tick = due
  for (let before = 0; before < MOST_COUNTED; before++) {
    const next = schedule.next(tick)
    if (next === undefined || next > now) return { tick, before, isExact: true }
    tick = next
  }
  return { tick: schedule.last(now) ?? tick, before: MOST_COUNTED, isExact: false }
}

const isInTimeframe = ({ startTime, endTime }: ScheduledWork<unknown>, tick: number) =>
  (startTime === undefined || tick >= startTime) && (endTime === undefined || tick < endTime)

const toText = (tick: number) => new Date(tick).toISOString()
