import { createHash } from 'node:crypto'
import { errors } from '../errors.ts'
import type { PipelineDraft, StoredPipeline } from './library.ts'

/** One version as it is kept. Times are unix seconds. */
export interface PipelineVersion extends PipelineDraft {
  version: number
  description?: string
  enabled: boolean
  priority: number
  createdAt: number
  updatedAt: number
}

/** All versions of a pipeline in one document: what belongs together changes together. */
export interface PipelineRecord {
  live: number
  /** Oldest first. */
  versions: readonly PipelineVersion[]
}

/** Where records are kept. Reads come from memory. */
export interface RecordStore {
  get(id: string): PipelineRecord | undefined
  /** In order of ids. */
  list(): { id: string; record: PipelineRecord }[]
  /**
   * Replaces one record by what `edit` makes of it; undefined removes it. `edit` judges the newest
   * record and may therefore run more than once. Durable when it resolves.
   */
  change(
    id: string,
    edit: (record: PipelineRecord | undefined) => PipelineRecord | undefined,
  ): Promise<void>
  onChange(listener: () => void): () => void
}

/** Unix seconds of this moment. */
export const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Versions are never changed in place, so what was computed of one stays true. */
const etags = new WeakMap<PipelineVersion, { isLive: boolean; etag: string }>()

/** A kept version as clients see it. */
export function toStored(
  id: string,
  { live, versions }: PipelineRecord,
  version: PipelineVersion,
): StoredPipeline {
  const isLive = version.version === live
  const known = etags.get(version)
  const etag = known?.isLive === isLive ? known.etag : etagOf(version, isLive)
  etags.set(version, { isLive, etag })
  return {
    id,
    ...version,
    isLive,
    // Of the pipeline: neither an update nor another live version changes it.
    createdAt: versions[0]?.createdAt ?? version.createdAt,
    etag,
  }
}

function etagOf(version: PipelineVersion, isLive: boolean) {
  const { content, extension, description = '', validateContext = '' } = version
  const scripts = Object.entries(version.scripts).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const named = [version.version, isLive, description, extension, content, validateContext, scripts]
  return createHash('sha256').update(JSON.stringify(named)).digest('base64url').slice(0, 22)
}

/** Every version of every record, in order of ids and numbers. */
export const allVersions = (records: RecordStore): StoredPipeline[] =>
  records
    .list()
    .flatMap(({ id, record }) => record.versions.map((version) => toStored(id, record, version)))

/** A version by its number, or the live one. @throws {GatewayError} NOT_FOUND */
export function locate(id: string, record: PipelineRecord | undefined, number?: number) {
  if (!record) throw errors.notFound(`${id}: invalid pipeline ID passed`)
  const version = record.versions.find((one) => one.version === (number ?? record.live))
  if (version) return { record, version }
  const known = record.versions.map((one) => one.version).join(', ')
  throw errors.notFound(`Pipeline "${id}" has no version ${number}; there are ${known}`)
}

/** Gives a record with this version added, or in the place of the one with its number. */
export const withVersion = (record: PipelineRecord, version: PipelineVersion): PipelineRecord => ({
  ...record,
  versions: [...record.versions.filter((one) => one.version !== version.version), version].toSorted(
    (a, b) => a.version - b.version,
  ),
})

/** The number of the next version. */
export const nextVersion = ({ versions }: PipelineRecord) => (versions.at(-1)?.version ?? 0) + 1

/** @throws {GatewayError} ETAG_MISMATCH */
export function requireMatch(found: StoredPipeline, ifMatch: string | undefined) {
  if (ifMatch !== undefined && ifMatch !== found.etag)
    throw errors.etagMismatch(
      `Version ${found.version} of pipeline "${found.id}" was changed meanwhile; read it again and ` +
        'repeat the change',
    )
}
