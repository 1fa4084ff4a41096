import { defineEndpoint } from '../../features/define.ts'
import { json } from '../reply.ts'

const BUILT = '2026-01-01T00:00:00.000000000Z'

/** Who answers here: the first thing most clients ask. */
export const info = defineEndpoint({
  name: 'info',
  support: 'full',
  methods: ['GET'],
  paths: ['/'],
  parameters: {},
  body: 'none',
  handle: (_request, { cluster, profile }) =>
    json({
      name: cluster.nodeName,
      cluster_name: cluster.name,
      cluster_uuid: cluster.uuid,
      version: {
        ...(profile.distribution && { distribution: profile.distribution }),
        number: profile.number,
        ...(profile.buildFlavor && { build_flavor: profile.buildFlavor }),
        build_type: 'local',
        build_hash: 'unknown',
        build_date: BUILT,
        build_snapshot: false,
        lucene_version: profile.luceneVersion,
        minimum_wire_compatibility_version: profile.minimumWireCompatibility,
        minimum_index_compatibility_version: profile.minimumIndexCompatibility,
      },
      tagline: profile.tagline,
    }),
})
