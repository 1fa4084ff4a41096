import type { ClusterIndex } from '../../cluster/cluster.ts'
import { defineEndpoint, INDEX_OPTIONS } from '../../features/define.ts'
import { json } from '../reply.ts'

const describe = (found: readonly ClusterIndex[]) => {
  const all = found.map(({ index }) => index.stats())
  const sum = (pick: (stats: (typeof all)[number]) => number) =>
    all.reduce((total, stats) => total + pick(stats), 0)
  return {
    docs: { count: sum(({ count }) => count), deleted: sum(({ deleted }) => deleted) },
    store: { size_in_bytes: sum(({ bytes }) => bytes), reserved_in_bytes: 0 },
    segments: { count: sum(({ segments }) => segments) },
    local_engine: {
      pending: sum(({ pending }) => pending),
      rebuilds: sum(({ rebuilds }) => rebuilds),
    },
  }
}

/** `GET /{index}/_stats`: documents, size, segments. */
export const stats = defineEndpoint({
  name: 'indices.stats',
  support: 'partial',
  methods: ['GET'],
  paths: ['/_stats', '/{index}/_stats'],
  parameters: {
    ...INDEX_OPTIONS,
    level: ['cluster', 'indices'],
    forbid_closed_indices: 'no-effect',
  },
  body: 'none',
  handle(request, { cluster }) {
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    const both = (some: readonly ClusterIndex[]) => ({
      primaries: describe(some),
      total: describe(some),
    })
    const shards = found.reduce((sum, { settings }) => sum + settings.shards, 0)
    return json({
      _shards: {
        total: found.reduce(
          (sum, { settings }) => sum + settings.shards * (1 + settings.replicas),
          0,
        ),
        successful: shards,
        failed: 0,
      },
      _all: both(found),
      indices: Object.fromEntries(
        found.map((one) => [one.registered.name, { uuid: one.registered.uuid, ...both([one]) }]),
      ),
    })
  },
})

/** `GET /_nodes`: the one node. */
export const nodes = defineEndpoint({
  name: 'nodes.info',
  support: 'partial',
  methods: ['GET'],
  paths: ['/_nodes'],
  parameters: { timeout: 'no-effect', flat_settings: 'no-effect' },
  body: 'none',
  handle: (_request, { cluster, profile }) =>
    json({
      _nodes: { total: 1, successful: 1, failed: 0 },
      cluster_name: cluster.name,
      nodes: {
        [cluster.nodeId]: {
          name: cluster.nodeName,
          host: '127.0.0.1',
          ip: '127.0.0.1',
          version: profile.number,
          build_type: 'local',
          build_hash: 'unknown',
          roles: ['cluster_manager', 'data', 'ingest'],
          process: { id: process.pid, rss_in_bytes: process.memoryUsage.rss() },
        },
      },
    }),
})
