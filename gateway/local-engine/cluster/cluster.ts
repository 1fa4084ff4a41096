import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ProfileName } from '../config.ts'
import { indexExists, indexNotFound } from '../errors.ts'
import { openIndex, type Index } from '../index/open.ts'
import type { Mapping } from '../mapping/mapper.ts'
import { checkIndexName } from './names.ts'
import { openRegistry, type RegisteredIndex } from './registry.ts'
import { resolveIndices, type ResolveOptions } from './resolve.ts'
import {
  checkUpdatable,
  interpretSettings,
  type FlatSettings,
  type IndexSettings,
} from './settings.ts'

/** An index with what the registry knows of it. */
export interface ClusterIndex {
  readonly index: Index
  readonly registered: RegisteredIndex
  readonly settings: IndexSettings
}

/** The part of the settings an open index takes over when they change. */
const changeable = ({
  durability,
  refreshMs,
  isRefreshExplicit,
  maxResultWindow,
}: IndexSettings) => ({
  durability,
  refresh: { intervalMs: refreshMs, isExplicit: isRefreshExplicit },
  maxResultWindow,
})

type Log = (event: string, details: Readonly<Record<string, unknown>>) => void

/**
 * Opens a data directory with all its indices.
 * @throws {StartFailure} DATA_DIR_LOCKED or DATA_DIR_UNREADABLE.
 */
export function openCluster(dataDir: string, profile: ProfileName, log: Log) {
  const registry = openRegistry(dataDir, profile)
  const indicesDir = join(dataDir, 'indices')
  const open = new Map<string, ClusterIndex>()

  function openOne(registered: RegisteredIndex, mapping?: Mapping): ClusterIndex {
    const { name, uuid, settings: flat } = registered
    const settings = interpretSettings(flat)
    const index = openIndex({
      identity: { name, uuid },
      dir: join(indicesDir, uuid),
      ...changeable(settings),
      shards: settings.shards,
      mapping,
      log,
    })
    return { index, registered, settings }
  }

  /** Folders without a row are left from a creation or deletion that was cut short. */
  function sweep(known: ReadonlySet<string>) {
    if (!existsSync(indicesDir)) return
    for (const folder of readdirSync(indicesDir))
      if (!known.has(folder)) rmSync(join(indicesDir, folder), { recursive: true, force: true })
  }

  const listed = registry.list()
  sweep(new Set(listed.map(({ uuid }) => uuid)))
  for (const registered of listed) open.set(registered.name, openOne(registered))

  const names = () => [...open.keys()].toSorted()

  function get(name: string): ClusterIndex {
    const found = open.get(name)
    if (!found) throw indexNotFound(name, 'index_expression')
    return found
  }

  function create(name: string, settings: FlatSettings = {}, mapping?: Mapping): ClusterIndex {
    checkIndexName(name)
    const existing = open.get(name)
    if (existing) throw indexExists(name, existing.registered.uuid)
    const uuid = randomBytes(16).toString('base64url')
    const registered = { name, uuid, created: Date.now(), settings }
    const made = openOne(registered, mapping)
    registry.add(registered)
    open.set(name, made)
    return made
  }

  return {
    profile: registry.profile,
    uuid: registry.clusterUuid,
    name: 'local',
    nodeName: 'local',
    nodeId: Buffer.from(registry.clusterUuid.replaceAll('-', ''), 'hex').toString('base64url'),
    names,
    get,
    has: (name: string) => open.has(name),
    create,
    /** The index of a write, made when it does not exist. */
    getOrCreate: (name: string): ClusterIndex => open.get(name) ?? create(name),
    /** @throws {EngineFailure} index_not_found_exception */
    resolve: (expression: string, options?: ResolveOptions): ClusterIndex[] =>
      resolveIndices(expression, names(), options).map(get),
    /** @throws {EngineFailure} illegal_argument_exception for a setting that is fixed at creation. */
    updateSettings(name: string, update: FlatSettings) {
      const { index, registered } = get(name)
      checkUpdatable(registered, update)
      const flat = { ...registered.settings, ...update }
      const settings = interpretSettings(flat)
      registry.setSettings(name, flat)
      index.configure(changeable(settings))
      open.set(name, { index, registered: { ...registered, settings: flat }, settings })
    },
    async remove(name: string) {
      const { index, registered } = get(name)
      open.delete(name)
      registry.remove(name)
      await index.discard()
      rmSync(join(indicesDir, registered.uuid), { recursive: true, force: true })
    },
    async close() {
      for (const { index } of open.values()) await index.close()
      registry.close()
    },
  }
}

export type Cluster = ReturnType<typeof openCluster>
