/** What became of a stage; the same words as on the wire. */
export type StageStatusName =
  | 'ok' | 'failed' | 'continued' | 'skippedByTrigger' | 'skippedByNeed' | 'disabled' | 'notReached'
  | 'running' | 'waiting' | 'paused' | 'pinned' | 'cached' | 'mocked' | 'cancelled' // prettier-ignore

/** Names of the colours a state can have; style sheets map them to tokens. */
export type Tone = 'ok' | 'error' | 'warn' | 'accent' | 'async' | 'skipped' | 'muted'

/** How a state looks: one word, one glyph, one colour. */
export interface StatusLook {
  word: string
  tone: Tone
  /** Strokes and filled shapes on a grid of 16 by 16. */
  stroke: string
  fill?: string
}

const RING = 'M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11z'
const CROSS = 'M4 4l8 8M12 4l-8 8'

/** Looks of every state. */
export const STATUS_LOOKS: Record<StageStatusName, StatusLook> = {
  ok: { word: 'ok', tone: 'ok', stroke: 'M3 8.5l3.4 3.4L13 4.8' },
  failed: { word: 'failed', tone: 'error', stroke: CROSS },
  continued: {
    word: 'failed, continued',
    tone: 'warn',
    stroke: 'M1.5 5l6 6M7.5 5l-6 6M9.5 8h5M12.3 5.6L14.7 8l-2.4 2.4',
  },
  skippedByTrigger: {
    word: 'skipped by trigger',
    tone: 'skipped',
    stroke: 'M2.5 11C4 4.8 10 4.2 13 9.6M13.4 5.2v4.6H8.8',
  },
  skippedByNeed: {
    word: 'skipped with its need',
    tone: 'skipped',
    stroke: 'M1 11c.8-4.6 4.6-5 6.4-1.2M8 11c.8-4.6 4.6-5 6.4-1.2M15 6.4v3.8h-3.8',
  },
  disabled: { word: 'disabled', tone: 'skipped', stroke: `${RING}M4.2 11.8l7.6-7.6` },
  notReached: {
    word: 'not reached',
    tone: 'muted',
    stroke: '',
    fill: 'M8 6.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 0 0 0-3.6z',
  },
  running: {
    word: 'running',
    tone: 'accent',
    stroke: RING,
    fill: 'M8 8V2.5A5.5 5.5 0 0 1 13.5 8z',
  },
  waiting: {
    word: 'waiting for needs',
    tone: 'muted',
    stroke:
      'M4 2.5h8M4 13.5h8M4.8 2.5c0 3.2 3.2 3.8 3.2 5.5s-3.2 2.3-3.2 5.5M11.2 2.5c0 3.2-3.2 3.8-3.2 5.5s3.2 2.3 3.2 5.5',
  },
  paused: { word: 'paused', tone: 'warn', stroke: '', fill: 'M4 3h2.6v10H4zM9.4 3H12v10H9.4z' },
  pinned: {
    word: 'pinned',
    tone: 'accent',
    stroke: 'M5.5 2.5h5l-.6 4.2L12 9.2H4l2.1-2.5zM8 9.4v4.4',
  },
  cached: {
    word: 'from cache',
    tone: 'accent',
    stroke: '',
    fill: 'M9.2 1.5L3 9.2h4.2L6.6 14.5 13 6.8H8.7z',
  },
  mocked: { word: 'mocked', tone: 'async', stroke: 'M8 2.2L13.8 8 8 13.8 2.2 8z' },
  cancelled: {
    word: 'cancelled',
    tone: 'skipped',
    stroke: `${RING}M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4`,
  },
}
