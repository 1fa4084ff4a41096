import { createBucketTable } from './buckets.ts'
import { defineAggregation, type FilterOf } from './define.ts'

/** One bucket: the documents that match a query. */
export const filterAggregation = defineAggregation({
  name: 'filter',
  // The body is a query; its own parser refuses what it does not know.
  parameters: [],
  refused: [],
  hasChildren: true,
  create({ body }, { children, countBucket }) {
    const table = createBucketTable(children)
    let filter: Awaited<ReturnType<FilterOf>> | undefined
    return {
      async enter(target, filterOf) {
        filter = await filterOf(body)
        await children?.enter(target, filterOf)
      },
      async collect(segment, docs, buckets) {
        // Documents of several buckets come more than once; a query wants each once.
        const distinct = docs.filter((doc, i) => i === 0 || doc !== docs[i - 1])
        const matching = new Set((await filter!.match(segment, distinct)).docs)
        table.begin()
        for (let i = 0; i < docs.length; i++)
          if (matching.has(docs[i]!)) table.put(docs[i]!, buckets[i]!, 0)
        await table.end(segment)
      },
      result(parent, isGap) {
        countBucket()
        const bucket = table.require(parent, 0)
        return { doc_count: bucket.count, ...table.resultsOf(bucket, isGap) }
      },
      orderValue: (parent) => table.require(parent, 0).count,
    }
  },
})
