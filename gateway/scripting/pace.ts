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
  /** Whether the next batch waits for the end of the event loop's turn, to become larger. */
  gathers(): boolean
  /** How many runs a turn had brought together. */
  recordGathered(runs: number): void
  record(elapsedMs: number, runs: number): void
  overran(): void
  /** A run that was alone on its isolate has ended by itself. */
  recordAlone(elapsedMs: number): void
}

const SHORT_MS = 2
/** Short entries that a long one outweighs: on a busy machine some are long by accident. */
const LONG_COSTS = 10
const MOST_RUNS = 64
const SLOW_MS = 50
/** Runs per turn from which waiting for the end of the turn pays, and how often that is tried. */
const CROWDED = 1.25
const PROBE_EVERY = 8

/** Starts off the main thread and moves there when runs have shown to be short. */
export function createPace({ mainThreadAfter, budgetMs }: PaceOptions): Pace {
  let shortEntries = 0
  /** What `shortEntries` was before an overrun that may have been nobody's fault. */
  let trusted = 0
  let averageMs = SHORT_MS
  let slow = false
  let crowd = 1
  let asked = 0
  return {
    isOnMainThread: () => shortEntries >= mainThreadAfter,
    isSlow: () => slow,
    batchLimit: () =>
      Math.min(MOST_RUNS, Math.max(1, Math.floor(budgetMs / 2 / Math.max(averageMs, 0.05)))),
    gathers: () => crowd > CROWDED || ++asked % PROBE_EVERY === 0,
    recordGathered(runs) {
      crowd += (runs - crowd) / 8
    },
    record(elapsedMs, runs) {
      const eachMs = elapsedMs / Math.max(runs, 1)
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
    recordAlone(elapsedMs) {
      // On a busy machine a budget can expire because another process had the processor.
      if (elapsedMs < budgetMs) shortEntries = Math.max(shortEntries, trusted)
      trusted = 0
      slow = elapsedMs > SLOW_MS
    },
  }
}
