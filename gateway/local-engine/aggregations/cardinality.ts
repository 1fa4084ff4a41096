import { plainText } from '../query/parameters.ts'
import { defineAggregation } from './define.ts'
import { aggregatedField } from './field-values.ts'
import { createKeyNumbers } from './keys.ts'
import { isPlain, readCount, readField, readParameter } from './read.ts'

/** How many distinct values documents have in a field; exact. */
export const cardinalityAggregation = defineAggregation({
  name: 'cardinality',
  parameters: ['field', 'missing', 'precision_threshold', 'execution_hint'],
  refused: ['script', 'rehash', 'value_type'],
  hasChildren: false,
  create(given) {
    const field = readField(given)
    const missing = readParameter(given, 'missing', isPlain, (value) => value)
    readCount(given, 'precision_threshold', 0, 0)
    const keys = createKeyNumbers()
    const seen = new Map<number, Set<number>>()
    const count = (bucket: number) => seen.get(bucket)?.size ?? 0
    return {
      enter: (target) => void aggregatedField(target, field),
      collect(segment, docs, buckets) {
        const eachKey = keys.open(segment, field)
        for (let i = 0; i < docs.length; i++) {
          const bucket = buckets[i]!
          let own = seen.get(bucket)
          if (!own) seen.set(bucket, (own = new Set()))
          let any = false
          eachKey(docs[i]!, (number) => {
            any = true
            own.add(number)
          })
          if (!any && missing !== undefined)
            own.add(keys.numberOf(typeof missing === 'number' ? missing : plainText(missing)))
        }
      },
      result: (bucket) => ({ value: count(bucket) }),
      orderValue: count,
    }
  },
})
