import { defineAggregation } from './define.ts'
import { aggregatedField } from './field-values.ts'
import { createGrowingDoubles } from './growing-doubles.ts'
import { readField } from './read.ts'

/** How many values documents have in a field. */
export const valueCountAggregation = defineAggregation({
  name: 'value_count',
  parameters: ['field', 'missing'],
  refused: ['script', 'format', 'value_type'],
  hasChildren: false,
  create(given) {
    const field = readField(given)
    const absent = given.body.missing === undefined ? 0 : 1
    const counts = createGrowingDoubles(0)
    return {
      enter: (target) => void aggregatedField(target, field),
      collect(segment, docs, buckets) {
        const column = segment.columns.get(field)
        const start =
          column?.kind === 'numeric'
            ? column.start
            : column?.kind === 'keyword'
              ? column.ordStart
              : undefined
        for (let i = 0; i < docs.length; i++) {
          const doc = docs[i]!
          const own = start ? start[doc + 1]! - start[doc]! : 0
          counts.set(buckets[i]!, counts.get(buckets[i]!) + (own === 0 ? absent : own))
        }
      },
      result: (bucket) => ({ value: counts.get(bucket) }),
      orderValue: (bucket) => counts.get(bucket),
    }
  },
})
