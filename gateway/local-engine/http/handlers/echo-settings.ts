import type { RegisteredIndex } from '../../cluster/registry.ts'
import type { JsonObject } from '../../json/parse.ts'

// The number under which the imitated engine stores its version.
const VERSION_CREATED = '137297827'

/** The settings of an index as `_settings` shows them, by full names. */
export const echoSettings = ({ name, uuid, created, settings }: RegisteredIndex) => ({
  'index.creation_date': String(created),
  'index.number_of_replicas': '1',
  'index.number_of_shards': '1',
  'index.provided_name': name,
  'index.replication.type': 'DOCUMENT',
  'index.uuid': uuid,
  'index.version.created': VERSION_CREATED,
  ...settings,
})

/** Dotted names as objects inside each other. */
export function nest(flat: Readonly<Record<string, string>>): JsonObject {
  const root: JsonObject = {}
  for (const [name, value] of Object.entries(flat)) {
    const path = name.split('.')
    let object = root
    // Safe: no setting is the parent of another, so what stands here is an object we made.
    for (const key of path.slice(0, -1)) object = (object[key] ??= {}) as JsonObject
    object[path.at(-1) ?? name] = value
  }
  return root
}
