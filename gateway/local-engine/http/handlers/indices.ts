import type { ClusterIndex } from '../../cluster/cluster.ts'
import { readSettings } from '../../cluster/settings.ts'
import { failures, unsupported } from '../../errors.ts'
import { defineEndpoint, INDEX_OPTIONS, OF_CLUSTERS } from '../../features/define.ts'
import { echoMapping } from '../../mapping/echo.ts'
import { isObject, parseNewMapping } from '../../mapping/parse.ts'
import { ACKNOWLEDGED, json } from '../reply.ts'
import { readWrapped } from '../request.ts'
import { echoSettings, nest } from './echo-settings.ts'

/** `PUT /{index}` */
export const createIndex = defineEndpoint({
  name: 'indices.create',
  support: 'partial',
  methods: ['PUT'],
  paths: ['/{index}'],
  parameters: { ...OF_CLUSTERS, timeout: 'no-effect', wait_for_active_shards: 'no-effect' },
  body: 'optional',
  handle(request, { cluster }) {
    const { settings, mappings, aliases, ...rest } = readWrapped(request)
    for (const key of Object.keys(rest))
      throw failures.parse(`unknown key [${key}] for create index`)
    for (const [key, value] of Object.entries({ settings, mappings }))
      if (value !== undefined && !isObject(value))
        throw failures.parse(`key [${key}] must be an object`)
    if (isObject(aliases) && Object.keys(aliases).length > 0)
      throw unsupported('indices.aliases', '[aliases] of an index')
    const name = request.part('index')
    cluster.create(
      name,
      settings === undefined ? {} : readSettings(settings),
      mappings === undefined ? undefined : parseNewMapping(mappings),
    )
    return json({ acknowledged: true, shards_acknowledged: true, index: name })
  },
})

/** `DELETE /{index}` */
export const deleteIndex = defineEndpoint({
  name: 'indices.delete',
  support: 'full',
  methods: ['DELETE'],
  paths: ['/{index}'],
  parameters: { ...OF_CLUSTERS, ...INDEX_OPTIONS, timeout: 'no-effect' },
  body: 'none',
  async handle(request, { cluster }) {
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    for (const { registered } of found) await cluster.remove(registered.name)
    return ACKNOWLEDGED
  },
})

const describe = ({ index, registered }: ClusterIndex, isFlat: boolean) => {
  const settings = echoSettings(registered)
  return {
    aliases: {},
    mappings: echoMapping(index.mapping()),
    settings: isFlat ? settings : nest(settings),
  }
}

/** `GET /{index}`, and with HEAD whether it exists. */
export const getIndex = defineEndpoint({
  name: 'indices.get',
  support: 'partial',
  methods: ['GET'],
  paths: ['/{index}'],
  parameters: {
    ...OF_CLUSTERS,
    ...INDEX_OPTIONS,
    flat_settings: 'boolean',
    include_defaults: 'none',
  },
  body: 'none',
  handle(request, { cluster }) {
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    const isFlat = request.flag('flat_settings')
    return json(
      Object.fromEntries(found.map((one) => [one.registered.name, describe(one, isFlat)])),
      found.length === 0 && request.method === 'HEAD' ? 404 : 200,
    )
  },
})
