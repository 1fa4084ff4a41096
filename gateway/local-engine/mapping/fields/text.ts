import { COMMON, defineFieldType } from './define.ts'

/** Analysed text. */
export const text = defineFieldType({
  type: 'text',
  parameters: {
    ...COMMON,
    analyzer: 'text',
    search_analyzer: 'text',
    search_quote_analyzer: 'text',
    norms: 'boolean',
    position_increment_gap: 'number',
    index_options: { only: ['positions', 'offsets'] },
    similarity: { only: ['BM25'] },
    term_vector: 'text',
    eager_global_ordinals: 'boolean',
    fielddata: { only: [false] },
  },
  read: (leaf) => leaf.text,
})
