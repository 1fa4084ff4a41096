import type { ClusterIndex } from '../../cluster/cluster.ts'
import { defineEndpoint, INDEX_OPTIONS } from '../../features/define.ts'
import { json } from '../reply.ts'

const shards = (found: readonly ClusterIndex[]) => {
  const successful = found.reduce((sum, { settings }) => sum + settings.shards, 0)
  const total = found.reduce(
    (sum, { settings }) => sum + settings.shards * (1 + settings.replicas),
    0,
  )
  return json({ _shards: { total, successful, failed: 0 } })
}

/** `POST /{index}/_refresh`: makes everything written searchable. */
export const refresh = defineEndpoint({
  name: 'indices.refresh',
  support: 'full',
  methods: ['GET', 'POST'],
  paths: ['/_refresh', '/{index}/_refresh'],
  parameters: INDEX_OPTIONS,
  body: 'none',
  handle(request, { cluster }) {
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    for (const { index } of found) index.refresh()
    return shards(found)
  },
})

/** `POST /{index}/_flush`: makes the searchable state durable. */
export const flush = defineEndpoint({
  name: 'indices.flush',
  support: 'full',
  methods: ['GET', 'POST'],
  paths: ['/_flush', '/{index}/_flush'],
  parameters: { ...INDEX_OPTIONS, force: 'no-effect', wait_if_ongoing: 'no-effect' },
  body: 'none',
  handle(request, { cluster }) {
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    for (const { index } of found) index.flush()
    return shards(found)
  },
})

/** `POST /{index}/_forcemerge` */
export const forceMerge = defineEndpoint({
  name: 'indices.forcemerge',
  support: 'partial',
  methods: ['POST'],
  paths: ['/_forcemerge', '/{index}/_forcemerge'],
  parameters: {
    ...INDEX_OPTIONS,
    max_num_segments: 'int',
    flush: 'no-effect',
    primary_only: 'no-effect',
    only_expunge_deletes: 'no-effect',
    wait_for_completion: ['true'],
  },
  body: 'none',
  async handle(request, { cluster }) {
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    const segments = Math.max(1, request.int('max_num_segments') ?? 1)
    for (const { index } of found) await index.forceMerge(segments)
    return shards(found)
  },
})
