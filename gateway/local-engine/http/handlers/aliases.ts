import { defineEndpoint, INDEX_OPTIONS, OF_CLUSTERS } from '../../features/define.ts'
import { json } from '../reply.ts'

/** `GET /{index}/_alias/{name}`: there are no aliases, so every name that is no pattern is missing. */
export const getAlias = defineEndpoint({
  name: 'indices.get_alias',
  support: 'partial',
  methods: ['GET'],
  paths: ['/_alias', '/{index}/_alias', '/_alias/{name}', '/{index}/_alias/{name}'],
  parameters: { ...OF_CLUSTERS, ...INDEX_OPTIONS },
  body: 'none',
  handle(request, { cluster }) {
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    if (request.part('name') === '')
      return json(
        Object.fromEntries(found.map(({ registered }) => [registered.name, { aliases: {} }])),
      )
    const missing = request
      .part('name')
      .split(',')
      .filter((name) => name !== '_all' && !name.includes('*'))
      .toSorted()
    if (missing.length === 0) return json({})
    const noun = missing.length === 1 ? 'alias' : 'aliases'
    return json({ error: `${noun} [${missing.join(',')}] missing`, status: 404 }, 404)
  },
})
