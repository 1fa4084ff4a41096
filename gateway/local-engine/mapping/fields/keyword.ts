import { COMMON, defineFieldType, ValueRefused } from './define.ts'

// Lucene's longest term.
const MAX_BYTES = 32_766

/** Text that is one term. */
export const keyword = defineFieldType({
  type: 'keyword',
  parameters: {
    ...COMMON,
    doc_values: 'boolean',
    ignore_above: 'number',
    null_value: 'value',
    norms: { only: [false] },
    index_options: { only: ['docs'] },
    similarity: { only: ['BM25'] },
    eager_global_ordinals: 'boolean',
    split_queries_on_whitespace: { only: [false] },
  },
  read({ text }, field) {
    if (text.length > field.ignoreAbove) return undefined
    if (text.length * 3 > MAX_BYTES && Buffer.byteLength(text) > MAX_BYTES)
      throw new ValueRefused(
        'max_bytes_length_exceeded_exception',
        `bytes can be at most ${MAX_BYTES} in length; got ${Buffer.byteLength(text)}`,
      )
    return text
  },
})
