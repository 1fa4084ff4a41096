/** Where a program's batches run. */
export interface PaceOptions {
  /** Short entries before batches move to the main thread. */
  mainThreadAfter: number
  /** How long a batch may hold the main thread, by the wall clock: that is what others feel. */
  budgetMs: number
}

/** Learns from past entries where the next one belongs. */
export interface Pace {
  isOnMainThread(): boolean
  /** True when runs regularly need longer than a batch may take. */
  isSlow(): boolean
  /** How many runs may share the next entry. */
  batchLimit(): number
  /** Times are those of the processor, so that a busy machine does not count against a script. */
  record(cpuMs: number, runs: number): void
  overran(): void
  /** A run that was alone on its isolate has ended by itself. */
  recordAlone(cpuMs: number): void
}

const SHORT_MS = 2
/** Short entries that a long one outweighs: on a busy machine some are long by accident. */
const LONG_COSTS = 10
const MOST_RUNS = 64
const SLOW_MS = 50

/** Starts off the main thread and moves there when runs have shown to be short. */
export function createPace({ mainThreadAfter, budgetMs }: PaceOptions): Pace {
  let shortEntries = 0
  /** What `shortEntries` was before an overrun that may have been nobody's fault. */
  let trusted = 0
  let averageMs = SHORT_MS
  let slow = false
  return {
    isOnMainThread: () => shortEntries >= mainThreadAfter,
    isSlow: () => slow,
    batchLimit: () =>
      Math.min(MOST_RUNS, Math.max(1, Math.floor(budgetMs / 2 / Math.max(averageMs, 0.05)))),
    record(cpuMs, runs) {
      const eachMs = cpuMs / Math.max(runs, 1)
      averageMs += (eachMs - averageMs) / 16
      shortEntries = Math.min(
        2 * mainThreadAfter,
        Math.max(0, eachMs < SHORT_MS ? shortEntries + 1 : shortEntries - LONG_COSTS),
      )
    },
    overran() {
      trusted = Math.max(trusted, shortEntries)
      shortEntries = 0
    },
    recordAlone(cpuMs) {
      // On a busy machine a budget can expire because another process had the processor.
      if (cpuMs < budgetMs) shortEntries = Math.max(shortEntries, trusted)
      trusted = 0
      slow = cpuMs > SLOW_MS
    },
  }
}
