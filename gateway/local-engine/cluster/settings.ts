import { EngineFailure, failures, unsupported, type IndexIdentity } from '../errors.ts'
import { parseDuration } from '../index/duration.ts'
import { isRaw } from '../json/values.ts'
import { isObject } from '../mapping/parse.ts'
import { preview } from '../mapping/preview.ts'

/** Settings by their full names, values as text: `index.number_of_shards` → `1`. */
export type FlatSettings = Readonly<Record<string, string>>

/** What the settings of an index mean. */
export interface IndexSettings {
  readonly shards: number
  readonly replicas: number
  readonly refreshMs: number
  readonly isRefreshExplicit: boolean
  readonly maxResultWindow: number
  readonly durability: 'request' | 'async'
}

const wholeNumber = (min: number) => (value: string, name: string) => {
  if (!/^-?\d+$/.test(value))
    throw failures.illegalArgument(`Failed to parse value [${value}] for setting [${name}]`, {
      causedBy: { type: 'number_format_exception', reason: `For input string: "${value}"` },
    })
  if (Number(value) < min)
    throw failures.illegalArgument(
      `Failed to parse value [${value}] for setting [${name}] must be >= ${min}`,
    )
}
const anything = () => undefined

/** Settings that are understood; `anything`: kept and shown, without effect on one node. */
const KNOWN: Readonly<Record<string, (value: string, name: string) => void>> = {
  'index.number_of_shards': wholeNumber(1),
  'index.number_of_replicas': wholeNumber(0),
  'index.number_of_routing_shards': wholeNumber(1),
  'index.refresh_interval': (value, name) => void parseDuration(value, name),
  'index.max_result_window': wholeNumber(1),
  'index.translog.durability': (value, name) => {
    if (!/^(request|async)$/i.test(value))
      throw failures.illegalArgument(
        `Failed to parse value [${value}] for setting [${name}]: expected request or async`,
      )
  },
  'index.translog.sync_interval': anything,
  'index.translog.flush_threshold_size': anything,
  'index.auto_expand_replicas': anything,
  'index.codec': anything,
  'index.hidden': anything,
  'index.gc_deletes': anything,
  'index.mapping.total_fields.limit': anything,
  'index.mapping.depth.limit': anything,
  'index.max_ngram_diff': anything,
  'index.max_shingle_diff': anything,
  'index.merge.policy.max_merged_segment': anything,
  'index.merge.scheduler.max_thread_count': anything,
  'index.replication.type': anything,
  'index.requests.cache.enable': anything,
  'index.search.idle.after': anything,
  'index.search.slowlog.threshold.query.warn': anything,
  'index.unassigned.node_left.delayed_timeout': anything,
  'index.write.wait_for_active_shards': anything,
  'index.query.default_field': anything,
  'index.priority': anything,
}

const UNSUPPORTED =
  /^index\.(analysis|similarity|sort|default_pipeline|final_pipeline|search\.default_pipeline|knn|routing|blocks|lifecycle|soft_deletes|store|append_only|composite_index)(\.|$)/

/**
 * Settings as a client gives them, nested or dotted, with or without `index.`, made flat.
 * @throws {EngineFailure} settings_exception for one nobody knows, or unsupported by name.
 */
export function readSettings(json: unknown): FlatSettings {
  const flat: Record<string, string> = {}
  const walk = (value: unknown, path: string) => {
    if (isObject(value) && !isRaw(value)) {
      for (const [key, inner] of Object.entries(value)) walk(inner, path ? `${path}.${key}` : key)
    } else if (value !== null) {
      flat[path === 'index' || path.startsWith('index.') ? path : `index.${path}`] = Array.isArray(
        value,
      )
        ? value.map(preview).join(',')
        : preview(value)
    }
  }
  if (!isObject(json)) throw failures.parse('key [settings] must be an object')
  walk(json, '')
  for (const [name, value] of Object.entries(flat)) {
    const check = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
    if (check) check(value, name)
    else if (UNSUPPORTED.test(name)) throw unsupported(`setting.${name}`, `setting [${name}]`)
    else
      throw new EngineFailure(
        400,
        'settings_exception',
        `unknown setting [${name}] please check that any required plugins are installed, or check the breaking changes documentation for removed settings`,
      )
  }
  return flat
}

const FIXED = ['index.number_of_shards', 'index.number_of_routing_shards', 'index.codec']

/** @throws {EngineFailure} illegal_argument_exception for a setting only a new index takes. */
export function checkUpdatable({ name, uuid }: IndexIdentity, update: FlatSettings): void {
  const fixed = Object.keys(update).filter((key) => FIXED.includes(key))
  if (fixed.length > 0)
    throw failures.illegalArgument(
      `Can't update non dynamic settings [[${fixed.join(', ')}]] for open indices [[${name}/${uuid}]]`,
    )
}

/** The meaning of flat settings, defaults filled in. */
export function interpretSettings(flat: FlatSettings): IndexSettings {
  const refresh = flat['index.refresh_interval']
  return {
    shards: Number(flat['index.number_of_shards'] ?? 1),
    replicas: Number(flat['index.number_of_replicas'] ?? 1),
    refreshMs: parseDuration(refresh ?? '1s', 'index.refresh_interval'),
    isRefreshExplicit: refresh !== undefined,
    maxResultWindow: Number(flat['index.max_result_window'] ?? 10_000),
    durability: flat['index.translog.durability']?.toLowerCase() === 'async' ? 'async' : 'request',
  }
}
