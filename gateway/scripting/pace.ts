/** Where a program's batches run. Durations are milliseconds by the wall clock. */
export interface PaceOptions {
  /** Short entries in a row before batches move to the main thread. */
  mainThreadAfter: number
  /** How long a batch may hold the main thread. */
  budgetMs: number
}

/** Learns from past entries where the next one belongs. */
export interface Pace {
  isOnMainThread(): boolean
  /** True when runs regularly need longer than a batch may take. */
  isSlow(): boolean
  /** How many runs may share the next entry. */
  batchLimit(): number
  record(elapsedMs: number, runs: number): void
  overran(): void
  /** A run that was alone on its isolate has ended by itself. */
  recordAlone(elapsedMs: number): void
}

const SHORT_MS = 2
const MOST_RUNS = 64
const SLOW_MS = 50

/** Starts off the main thread and moves there when runs have shown to be short. */
export function createPace({ mainThreadAfter, budgetMs }: PaceOptions): Pace {
  let shortEntries = 0
  let averageMs = SHORT_MS
  let slow = false
  return {
    isOnMainThread: () => shortEntries >= mainThreadAfter,
    isSlow: () => slow,
    batchLimit: () =>
      Math.min(MOST_RUNS, Math.max(1, Math.floor(budgetMs / 2 / Math.max(averageMs, 0.05)))),
    record(elapsedMs, runs) {
      const eachMs = elapsedMs / Math.max(runs, 1)
      averageMs += (eachMs - averageMs) / 16
      shortEntries = eachMs < SHORT_MS ? shortEntries + 1 : 0
    },
    overran() {
      shortEntries = 0
    },
    recordAlone(elapsedMs) {
      slow = elapsedMs > SLOW_MS
    },
  }
}
