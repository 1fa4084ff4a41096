/** One limit: what holds when nobody says otherwise, its bounds, and what it is about. */
interface LimitFacts {
  usual: number
  least: number
  most: number
  about: string
}

/** The longest time a timer can take. */
const LONGEST_MS = 2_147_483_647
/** A text of more bytes than that is more than V8 can hold. */
const LARGEST_MB = 512

/**
 * Everything the gateway bounds, in whole units that the names end in. Set under `limits` in
 * `sluice.yaml`, in SLUICE_LIMITS or with `--limit`. Without a schema library, because the command
 * line reads this table before anything else is loaded.
 */
export const LIMITS = {
  runs: {
    usual: 256,
    least: 1,
    most: 100_000,
    about: 'Pipeline runs at once; further requests wait',
  },
  waiting: {
    usual: 1_024,
    least: 0,
    most: 1_000_000,
    about: 'Requests that may wait for a run to end; the next get 503',
  },
  isolates: { usual: 32, least: 1, most: 1_000, about: 'Script isolates open at once' },
  scriptMs: { usual: 10_000, least: 1, most: LONGEST_MS, about: 'Time of one script' },
  scriptMemoryMb: {
    usual: 64,
    least: 8,
    most: 4_096,
    about: 'Heap of the isolate a script runs in',
  },
  stageMs: { usual: 30_000, least: 1, most: LONGEST_MS, about: 'Time of one stage' },
  runMs: { usual: 60_000, least: 1, most: LONGEST_MS, about: 'Time of one run until its answer' },
  backgroundMs: {
    usual: 30_000,
    least: 1,
    most: LONGEST_MS,
    about: 'Time of stages that no answer waits for',
  },
  bodyMb: {
    usual: 100,
    least: 1,
    most: LARGEST_MB,
    about: 'Request body that a pipeline may hold',
  },
  stages: { usual: 200, least: 1, most: 5_000, about: 'Stages of one pipeline' },
  calls: { usual: 1_000, least: 0, most: 1_000_000, about: 'Requests that one run may send' },
  logRecords: { usual: 50_000, least: 0, most: 10_000_000, about: 'Log records kept' },
  logMb: { usual: 256, least: 1, most: 1_000_000, about: 'Texts of the log records kept' },
  logDays: { usual: 30, least: 1, most: 36_500, about: 'Age of the oldest log record' },
  logBodyChars: {
    usual: 1_000_000,
    least: 0,
    most: 100_000_000,
    about: 'Characters of a body that a log record keeps',
  },
  usageDays: { usual: 400, least: 1, most: 36_500, about: 'Days whose usage figures are kept' },
} as const satisfies Record<string, LimitFacts>

/** Name of a limit. */
export type LimitName = keyof typeof LIMITS
/** A value for each limit. */
export type Limits = Record<LimitName, number>

/** The names, in the order of the table. */
// Safe: nobody adds to the table, so these are all its keys.
export const limitNames = Object.keys(LIMITS) as LimitName[]

/** The limits that hold when nothing is set. */
// Safe: one entry a name.
export const usualLimits = Object.fromEntries(
  limitNames.map((name) => [name, LIMITS[name].usual]),
) as Limits
