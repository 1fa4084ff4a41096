import type { ClusterIndex } from '../../cluster/cluster.ts'
import { defineEndpoint, INDEX_OPTIONS } from '../../features/define.ts'
import { countDocuments } from '../../search/count.ts'
import { plainText } from '../reply.ts'
import { CAT_PARAMETERS, formatBytes, renderTable, type Column } from './cat-table.ts'
import { countShards, healthOf } from './health.ts'

const indexColumns = (bytes: string | undefined): readonly Column<ClusterIndex>[] => [
  {
    name: 'health',
    aliases: ['h'],
    description: 'current health status',
    value: (row) => healthOf([row]),
  },
  { name: 'status', aliases: ['s'], description: 'open/close status', value: () => 'open' },
  {
    name: 'index',
    aliases: ['i', 'idx'],
    description: 'index name',
    value: ({ registered }) => registered.name,
  },
  {
    name: 'uuid',
    aliases: ['id', 'uuid'],
    description: 'index uuid',
    value: ({ registered }) => registered.uuid,
  },
  {
    name: 'pri',
    aliases: ['p', 'shards.primary', 'shardsPrimary'],
    description: 'number of primary shards',
    isNumber: true,
    value: ({ settings }) => String(settings.shards),
  },
  {
    name: 'rep',
    aliases: ['r', 'shards.replica', 'shardsReplica'],
    description: 'number of replica shards',
    isNumber: true,
    value: ({ settings }) => String(settings.replicas),
  },
  {
    name: 'docs.count',
    aliases: ['dc', 'docsCount'],
    description: 'available docs',
    isNumber: true,
    value: ({ index }) => String(index.stats().count),
  },
  {
    name: 'docs.deleted',
    aliases: ['dd', 'docsDeleted'],
    description: 'deleted docs',
    isNumber: true,
    value: ({ index }) => String(index.stats().deleted),
  },
  {
    name: 'creation.date',
    aliases: ['cd'],
    description: 'index creation date (millisecond value)',
    isHidden: true,
    isNumber: true,
    value: ({ registered }) => String(registered.created),
  },
  {
    name: 'store.size',
    aliases: ['ss', 'storeSize'],
    description: 'store size of primaries & replicas',
    isNumber: true,
    value: ({ index }) => formatBytes(index.stats().bytes, bytes),
  },
  {
    name: 'pri.store.size',
    aliases: [],
    description: 'store size of primaries',
    isNumber: true,
    value: ({ index }) => formatBytes(index.stats().bytes, bytes),
  },
  {
    name: 'segments.count',
    aliases: ['sc', 'segmentsCount'],
    description: 'number of segments',
    isHidden: true,
    isNumber: true,
    value: ({ index }) => String(index.stats().segments),
  },
]

/** `GET /_cat/indices` */
export const catIndices = defineEndpoint({
  name: 'cat.indices',
  support: 'partial',
  methods: ['GET'],
  paths: ['/_cat/indices', '/_cat/indices/{index}'],
  parameters: {
    ...CAT_PARAMETERS,
    ...INDEX_OPTIONS,
    health: 'none',
    pri: 'no-effect',
    include_unloaded_segments: 'no-effect',
  },
  body: 'none',
  handle: (request, { cluster }) =>
    renderTable(
      request,
      indexColumns(request.text('bytes')),
      cluster.resolve(request.part('index'), request.indexOptions()),
    ),
})

interface HealthRow {
  readonly cluster: string
  readonly found: readonly ClusterIndex[]
}

const fixed = (name: string, aliases: string[], value: string): Column<HealthRow> => ({
  name,
  aliases,
  description: name.replaceAll('_', ' '),
  isNumber: true,
  value: () => value,
})

const epoch = {
  name: 'epoch',
  aliases: ['t', 'time'],
  description: 'seconds since 1970-01-01 00:00:00',
  value: () => String(Math.floor(Date.now() / 1000)),
}
const timestamp = {
  name: 'timestamp',
  aliases: ['ts', 'hms', 'hhmmss'],
  description: 'time in HH:MM:SS',
  value: () => new Date().toISOString().slice(11, 19),
}

const healthColumns: readonly Column<HealthRow>[] = [
  epoch,
  timestamp,
  {
    name: 'cluster',
    aliases: ['cl'],
    description: 'cluster name',
    value: ({ cluster }) => cluster,
  },
  {
    name: 'status',
    aliases: ['st'],
    description: 'health status',
    value: ({ found }) => healthOf(found),
  },
  fixed('node.total', ['nt', 'nodeTotal'], '1'),
  fixed('node.data', ['nd', 'nodeData'], '1'),
  fixed('discovered_cluster_manager', ['dcm'], 'true'),
  {
    name: 'shards',
    aliases: ['sh'],
    description: 'total number of shards',
    isNumber: true,
    value: ({ found }) => String(countShards(found).active),
  },
  {
    name: 'pri',
    aliases: ['p'],
    description: 'number of primary shards',
    isNumber: true,
    value: ({ found }) => String(countShards(found).active),
  },
  fixed('relo', ['r'], '0'),
  fixed('init', ['i'], '0'),
  {
    name: 'unassign',
    aliases: ['u'],
    description: 'number of unassigned shards',
    isNumber: true,
    value: ({ found }) => String(countShards(found).unassigned),
  },
  fixed('pending_tasks', ['pt'], '0'),
  fixed('max_task_wait_time', ['mtwt'], '-'),
  {
    name: 'active_shards_percent',
    aliases: ['asp'],
    description: 'active number of shards in percent',
    isNumber: true,
    value: ({ found }) => `${countShards(found).percent.toFixed(1)}%`,
  },
]

/** `GET /_cat/health` */
export const catHealth = defineEndpoint({
  name: 'cat.health',
  support: 'partial',
  methods: ['GET'],
  paths: ['/_cat/health'],
  parameters: CAT_PARAMETERS,
  body: 'none',
  handle: (request, { cluster }) =>
    renderTable(request, healthColumns, [
      { cluster: cluster.name, found: cluster.resolve('_all') },
    ]),
})

/** `GET /_cat/count` */
export const catCount = defineEndpoint({
  name: 'cat.count',
  support: 'full',
  methods: ['GET'],
  paths: ['/_cat/count', '/_cat/count/{index}'],
  parameters: CAT_PARAMETERS,
  body: 'none',
  async handle(request, { cluster }) {
    const targets = cluster.resolve(request.part('index')).map(({ index }) => index.target())
    const { count } = await countDocuments(targets, undefined)
    const column: Column<number> = {
      name: 'count',
      aliases: ['dc', 'docs.count', 'docsCount'],
      description: 'the document count',
      value: String,
    }
    return renderTable<number>(request, [epoch, timestamp, column], [count])
  },
})

/** `GET /_cat`: what tables there are. */
export const catHelp = defineEndpoint({
  name: 'cat.help',
  support: 'full',
  methods: ['GET'],
  paths: ['/_cat'],
  parameters: CAT_PARAMETERS,
  body: 'none',
  handle: () =>
    plainText(
      [catIndices, catHealth, catCount]
        .flatMap(({ paths }) => paths)
        .join('\n')
        .concat('\n'),
    ),
})
