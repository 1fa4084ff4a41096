import type { ClusterIndex } from '../../cluster/cluster.ts'
import { defineEndpoint, INDEX_OPTIONS, OF_CLUSTERS } from '../../features/define.ts'
import { float64 } from '../../json/values.ts'
import { json } from '../reply.ts'

/** A lone node has no place for replicas: an index that wants some is yellow, as in the engine. */
export const healthOf = (found: readonly ClusterIndex[]): 'green' | 'yellow' =>
  found.some(({ settings }) => settings.replicas > 0) ? 'yellow' : 'green'

/** Numbers of shards as health reports show them. */
export function countShards(found: readonly ClusterIndex[]) {
  const active = found.reduce((sum, { settings }) => sum + settings.shards, 0)
  const unassigned = found.reduce(
    (sum, { settings }) => sum + settings.shards * settings.replicas,
    0,
  )
  const all = active + unassigned
  return { active, unassigned, percent: all === 0 ? 100 : (active / all) * 100 }
}

/** `GET /_cluster/health` */
export const clusterHealth = defineEndpoint({
  name: 'cluster.health',
  support: 'partial',
  methods: ['GET'],
  paths: ['/_cluster/health', '/_cluster/health/{index}'],
  parameters: {
    ...OF_CLUSTERS,
    ...INDEX_OPTIONS,
    timeout: 'time',
    wait_for_status: ['green', 'yellow', 'red'],
    wait_for_nodes: 'no-effect',
    wait_for_active_shards: 'no-effect',
    wait_for_events: 'no-effect',
    wait_for_no_relocating_shards: 'no-effect',
    wait_for_no_initializing_shards: 'no-effect',
    level: ['cluster', 'indices'],
    awareness_attribute: 'none',
  },
  body: 'none',
  handle(request, { cluster }) {
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    const { active, unassigned, percent } = countShards(found)
    const status = healthOf(found)
    // Nothing will ever change the status of a lone node, so there is nothing to wait for.
    const isLate = request.text('wait_for_status') === 'green' && status !== 'green'
    return json(
      {
        cluster_name: cluster.name,
        status,
        timed_out: isLate,
        number_of_nodes: 1,
        number_of_data_nodes: 1,
        discovered_master: true,
        discovered_cluster_manager: true,
        active_primary_shards: active,
        active_shards: active,
        relocating_shards: 0,
        initializing_shards: 0,
        unassigned_shards: unassigned,
        delayed_unassigned_shards: 0,
        number_of_pending_tasks: 0,
        number_of_in_flight_fetch: 0,
        task_max_waiting_in_queue_millis: 0,
        active_shards_percent_as_number: float64(percent),
        ...(request.text('level') === 'indices' && {
          indices: Object.fromEntries(found.map((one) => [one.registered.name, describe(one)])),
        }),
      },
      isLate ? 408 : 200,
    )
  },
})

function describe(one: ClusterIndex) {
  const { active, unassigned } = countShards([one])
  return {
    status: healthOf([one]),
    number_of_shards: one.settings.shards,
    number_of_replicas: one.settings.replicas,
    active_primary_shards: active,
    active_shards: active,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: unassigned,
  }
}
