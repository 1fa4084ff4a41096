import { readSettings } from '../../cluster/settings.ts'
import { defineEndpoint, INDEX_OPTIONS, OF_CLUSTERS } from '../../features/define.ts'
import { indexNotFound } from '../../errors.ts'
import { echoFields, echoMapping } from '../../mapping/echo.ts'
import type { Mapping } from '../../mapping/mapper.ts'
import { parseMapping } from '../../mapping/parse.ts'
import { nameMatcher } from '../../query/fields.ts'
import { ACKNOWLEDGED, json } from '../reply.ts'
import { bodyRequired } from '../request.ts'
import { echoSettings, nest } from './echo-settings.ts'

/** `GET /_mapping`, for one index or all. */
export const getMapping = defineEndpoint({
  name: 'indices.get_mapping',
  support: 'full',
  methods: ['GET'],
  paths: ['/_mapping', '/_mappings', '/{index}/_mapping', '/{index}/_mappings'],
  parameters: { ...OF_CLUSTERS, ...INDEX_OPTIONS },
  body: 'none',
  handle(request, { cluster }) {
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    return json(
      Object.fromEntries(
        found.map(({ index, registered }) => [
          registered.name,
          { mappings: echoMapping(index.mapping()) },
        ]),
      ),
    )
  },
})

/** `GET /{index}/_mapping/field/{fields}`: some fields, by names or patterns. */
export const getFieldMapping = defineEndpoint({
  name: 'indices.get_field_mapping',
  support: 'partial',
  methods: ['GET'],
  paths: ['/_mapping/field/{fields}', '/{index}/_mapping/field/{fields}'],
  parameters: { ...INDEX_OPTIONS, local: 'no-effect', include_defaults: 'none' },
  body: 'none',
  handle(request, { cluster }) {
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    const wanted = request.part('fields').split(',').map(nameMatcher)
    const describe = (mapping: Mapping) =>
      [...echoFields(mapping)]
        .filter(([path]) => wanted.some((isWanted) => isWanted(path)))
        .map(([path, definition]) => [
          path,
          { full_name: path, mapping: { [path.split('.').at(-1) ?? path]: definition } },
        ])
    return json(
      Object.fromEntries(
        found.map(({ index, registered }) => [
          registered.name,
          { mappings: Object.fromEntries(describe(index.mapping())) },
        ]),
      ),
    )
  },
})

/** `PUT /{index}/_mapping`: fields may be added, never changed. */
export const putMapping = defineEndpoint({
  name: 'indices.put_mapping',
  support: 'full',
  methods: ['PUT', 'POST'],
  paths: ['/{index}/_mapping', '/{index}/_mappings', '/_mapping'],
  parameters: {
    ...OF_CLUSTERS,
    ...INDEX_OPTIONS,
    timeout: 'no-effect',
    write_index_only: 'no-effect',
  },
  body: 'required',
  handle(request, { cluster }) {
    if (request.body.length === 0) throw bodyRequired()
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    if (found.length === 0) throw indexNotFound(request.part('index'))
    const update = parseMapping(request.object())
    for (const { index } of found) index.growMapping(update)
    return ACKNOWLEDGED
  },
})

/** `PUT /{index}/_settings`: those that may change while the index is open. */
export const putSettings = defineEndpoint({
  name: 'indices.put_settings',
  support: 'partial',
  methods: ['PUT'],
  paths: ['/_settings', '/{index}/_settings'],
  parameters: {
    ...OF_CLUSTERS,
    ...INDEX_OPTIONS,
    timeout: 'no-effect',
    flat_settings: 'no-effect',
    preserve_existing: 'none',
  },
  body: 'required',
  handle(request, { cluster }) {
    if (request.body.length === 0) throw bodyRequired()
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    const { settings, ...rest } = request.object()
    const update = readSettings(settings ?? rest)
    for (const { registered } of found) cluster.updateSettings(registered.name, update)
    return ACKNOWLEDGED
  },
})

/** `GET /{index}/_settings` */
export const getSettings = defineEndpoint({
  name: 'indices.get_settings',
  support: 'partial',
  methods: ['GET'],
  paths: ['/_settings', '/{index}/_settings'],
  parameters: {
    ...OF_CLUSTERS,
    ...INDEX_OPTIONS,
    flat_settings: 'boolean',
    include_defaults: 'none',
  },
  body: 'none',
  handle(request, { cluster }) {
    const found = cluster.resolve(request.part('index'), request.indexOptions())
    return json(
      Object.fromEntries(
        found.map(({ registered }) => {
          const settings = echoSettings(registered)
          return [
            registered.name,
            { settings: request.flag('flat_settings') ? settings : nest(settings) },
          ]
        }),
      ),
    )
  },
})
