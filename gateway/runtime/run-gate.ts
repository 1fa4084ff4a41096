import { errors, type GatewayError } from '../errors.ts'
import type { StopSignal } from '../stop-signal.ts'

/** What the gate lets through at this moment; read anew each time, since a workspace may set it. */
interface GateLimits {
  /** Runs at once. */
  runs: number
  /** Requests that may wait for one of them to end. */
  waiting: number
}

/** How full the gate is. */
export interface GateState {
  /** Runs whose answer is not there yet, and those in whose place others wait. */
  running: number
  waiting: number
  /** Runs that are answered and still have stages under way. */
  background: number
}

/** Bodies of waiting requests lie in memory: together they may take no more than this. */
const MOST_WAITING_BYTES = 256 * 1024 * 1024
const LONGEST_RETRY_SECONDS = 60

interface Waiter {
  since: number
  bytes: number
  /** `false` when the client is gone. */
  settle(mayRun: boolean): void
}

/**
 * Bounds the runs of the gateway: so many at once, so many more in a queue, and everyone else is
 * told to come back. First come, first served. While there is room, passing it costs a comparison.
 */
export function createRunGate(limits: () => GateLimits) {
  /** In the order of their arrival. */
  const waiters = new Set<Waiter>()
  let running = 0
  let background = 0
  let waitingBytes = 0

  const refusal = (): GatewayError => {
    const [oldest] = waiters
    // Whoever comes now would wait about as long as the one that is served next has waited.
    const seconds = oldest ? Math.ceil((performance.now() - oldest.since) / 1_000) : 1
    const { runs } = limits()
    return errors.overloaded(
      `The gateway is busy with ${running} runs, and ${waiters.size} requests wait for them; ` +
        `try again later, or raise limits.runs (${runs}) or limits.waiting (${limits().waiting})`,
      { retryAfterSeconds: Math.min(LONGEST_RETRY_SECONDS, Math.max(1, seconds)) },
    )
  }

  const hasRoom = () => running < limits().runs
  const isFull = () => !hasRoom() && waiters.size >= limits().waiting

  function admit() {
    for (const waiter of waiters) {
      if (!hasRoom()) return
      running++
      waiter.settle(true)
    }
  }

  function wait(bytes: number, signal: StopSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        since: performance.now(),
        bytes,
        settle(mayRun) {
          waiters.delete(waiter)
          waitingBytes -= bytes
          signal.removeEventListener('abort', leave)
          resolve(mayRun)
        },
      }
      const leave = () => waiter.settle(false)
      signal.addEventListener('abort', leave)
      waiters.add(waiter)
      waitingBytes += bytes
    })
  }

  return {
    /**
     * Refuses early what `enter` would refuse, before a body is read.
     * @throws {GatewayError} OVERLOADED with the seconds after which to try again.
     */
    check() {
      if (isFull()) throw refusal()
    },
    /**
     * Takes a place for a run: at once while there is one, else when it is this request's turn.
     * @returns whether the run may begin; false only when `signal` has aborted.
     * @throws {GatewayError} OVERLOADED with the seconds after which to try again.
     */
    enter(bodyBytes: number, signal: StopSignal): boolean | Promise<boolean> {
      if (signal.aborted) return false
      if (waiters.size === 0 && hasRoom()) {
        running++
        return true
      }
      if (isFull() || (!hasRoom() && waitingBytes + bodyBytes > MOST_WAITING_BYTES)) throw refusal()
      const turn = wait(bodyBytes, signal)
      // The limit may have been raised since somebody began to wait.
      admit()
      return turn
    },
    /**
     * Gives a place back once the run is answered. Stages in the background keep it only when as
     * many runs as may be under way have such stages already.
     */
    leave(rest: Promise<void> | undefined) {
      if (!rest) {
        running--
        admit()
        return
      }
      const moves = background < limits().runs
      if (moves) {
        background++
        running--
        admit()
      }
      void rest.then(() => {
        if (moves) background--
        else running--
        admit()
      })
    },
    state: (): GateState => ({ running, waiting: waiters.size, background }),
  }
}

/** Bounds the runs of the gateway. */
export type RunGate = ReturnType<typeof createRunGate>
