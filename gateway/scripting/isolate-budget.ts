import { availableParallelism } from 'node:os'
import type { EntryRun } from './entry-run.ts'
import type { Lane } from './lane.ts'
import { abortReason } from './run-failures.ts'

/** Runs that may have a thread for as long as they take; some must stay free for all others. */
const MOST_ALONE = Math.max(1, availableParallelism() - 1)

/** A lane that runs share, and how to make its program give it up: it closes when it is idle. */
interface Tenant {
  lane: Lane
  giveUp(): void
}

/** Bounds the isolates of all programs together. */
export interface IsolateBudget {
  /**
   * Calls `open` when one more shared isolate may be opened: at once while there is room, else when
   * another one has closed for it. Those that are idle go first, then those used longest ago. An
   * `open` that gives nothing back is no longer wanted.
   */
  ask(open: () => Tenant | undefined): void
  /** Says that a lane is idle, having been used just now. */
  touch(lane: Lane): void
  /** The lane is closed. */
  forget(lane: Lane): void
  /** Calls `open` when the run may have an isolate and a thread of its own, until it is over. */
  askAlone(run: EntryRun, open: () => void): void
  /**
   * Keeps the isolate of a run that was alone for the next such run, until `dropSpare` or `forget`.
   * When there are too many, the one that was kept for longest is closed.
   */
  keepSpare(lane: Lane, close: () => void): void
  dropSpare(lane: Lane): void
  /** Until it gets an isolate, a run can only be aborted. @returns what to call when it has one. */
  hold(run: EntryRun): () => void
  state(): { isolates: number; waitingScripts: number }
}

/**
 * At most `maxIsolates` shared isolates, and a few more for runs that are alone on theirs and as many
 * that wait for such a run.
 */
export function createIsolateBudget(maxIsolates: () => number): IsolateBudget {
  /** Least recently used first. */
  const tenants = new Map<Lane, Tenant>()
  /** Those that have been given up and are not idle yet. */
  const leaving = new Set<Lane>()
  const asking: (() => Tenant | undefined)[] = []
  const askingAlone = new Map<EntryRun, () => void>()
  const held = new Set<EntryRun>()
  const spares = new Map<Lane, () => void>()
  let latest: Lane | undefined
  let alone = 0

  function serve() {
    while (asking.length > 0 && tenants.size < maxIsolates()) {
      const tenant = asking.shift()?.()
      if (!tenant) continue
      tenants.set(tenant.lane, tenant)
      latest = tenant.lane
    }
    if (asking.length <= leaving.size) return
    for (const { lane, giveUp } of byIdleness()) {
      if (asking.length <= leaving.size) return
      if (leaving.has(lane) || !tenants.has(lane)) continue
      leaving.add(lane)
      giveUp()
    }
  }

  const byIdleness = () =>
    [...tenants.values()].toSorted((a, b) => Number(b.lane.isIdle()) - Number(a.lane.isIdle()))

  function serveAlone() {
    for (const [run, open] of askingAlone) {
      if (alone >= MOST_ALONE) return
      askingAlone.delete(run)
      alone++
      run.onEnd(() => {
        alone--
        serveAlone()
      })
      open()
    }
  }

  return {
    ask(open) {
      asking.push(open)
      serve()
    },
    touch(lane) {
      const tenant = tenants.get(lane)
      if (!tenant) return
      // Called after every batch: the one pipeline that is busy must not churn the map.
      if (lane !== latest) {
        tenants.delete(lane)
        tenants.set(lane, tenant)
        latest = lane
      }
      if (asking.length > 0) serve()
    },
    forget(lane) {
      spares.delete(lane)
      leaving.delete(lane)
      if (latest === lane) latest = undefined
      if (tenants.delete(lane)) serve()
    },
    askAlone(run, open) {
      askingAlone.set(run, open)
      run.onEnd(() => askingAlone.delete(run))
      serveAlone()
    },
    keepSpare(lane, close) {
      spares.set(lane, close)
      const [[oldest, closeOldest] = []] = spares
      if (spares.size <= MOST_ALONE || !oldest) return
      spares.delete(oldest)
      closeOldest?.()
    },
    dropSpare: (lane) => void spares.delete(lane),
    hold(run) {
      const { signal } = run.entry
      const stop = () => run.fail(abortReason(run))
      const letGo = () => {
        held.delete(run)
        signal.removeEventListener('abort', stop)
      }
      held.add(run)
      signal.addEventListener('abort', stop)
      run.onEnd(letGo)
      return letGo
    },
    state: () => ({ isolates: tenants.size + alone + spares.size, waitingScripts: held.size }),
  }
}
