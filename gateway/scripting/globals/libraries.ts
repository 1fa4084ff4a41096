import type { ScriptGlobal } from './define.ts'

const lodash: Pick<ScriptGlobal, 'library' | 'realm'> = {
  library: { name: 'lodash' },
  realm: {
    perStage:
      ({ libraries }) =>
      () =>
        libraries.lodash,
  },
}

/** lodash without what changes it for others, and without its timers. */
export const lodashGlobal: ScriptGlobal = {
  name: 'lodash',
  ...lodash,
  types: `/** lodash 4, the same as \`_\`. Without mixin, noConflict, and what needs timers (debounce, delay …). */
declare const lodash: import('lodash').LoDashStatic`,
}

/** The same under its usual name. */
export const underscoreGlobal: ScriptGlobal = {
  name: '_',
  ...lodash,
  types: `/** lodash 4. Without mixin, noConflict, and what needs timers (debounce, delay …). */
declare const _: import('lodash').LoDashStatic`,
}

/** compromise with its numbers and dates; `nlp(text, words)` counts for that text only. */
export const nlpGlobal: ScriptGlobal = {
  name: 'nlp',
  library: { name: 'compromise' },
  realm: {
    perStage:
      ({ libraries }) =>
      () =>
        libraries.compromise,
  },
  types: `/**
 * compromise 14: understands English text, numbers and dates included. Words of your own count for
 * that text only: \`nlp(text, { heat: 'MovieTitle' })\`.
 */
declare const nlp: ((text: string, words?: Record<string, string | string[]>) => ScriptText) &
  Pick<typeof import('compromise').default, 'tokenize' | 'parseMatch' | 'buildTrie' | 'buildNet' | 'version'>
/** A text as compromise understands it, with its numbers and dates. */
type ScriptText = ReturnType<typeof import('compromise').default> & {
  /** Dates in the text; \`get()\` gives their start and end. */
  dates(options?: { today?: string; timezone?: string; dayStart?: string; dayEnd?: string }): ScriptDates
  /** Spans of time such as "two weeks". */
  durations(): ScriptDates
  /** Times of day such as "4pm". */
  times(): ScriptDates
}
type ScriptDates = ReturnType<typeof import('compromise').default> & {
  get(): { start?: string; end?: string; timezone?: string; [key: string]: unknown }[]
}`,
}
