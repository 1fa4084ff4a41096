import { randomUUID } from 'node:crypto'
import { errors } from '../errors.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import { type CheckedDraft, requireValid } from './check-draft.ts'
import type { CompiledPipeline } from './compile.ts'
import type { PipelineDraft, PipelineLibrary } from './library.ts'
import {
  locate,
  nextVersion,
  nowSeconds,
  type PipelineRecord,
  type PipelineVersion,
  type RecordStore,
  requireMatch,
  toStored,
  withVersion,
} from './record.ts'

interface Services<Kind extends StageKind> {
  records: RecordStore
  /** Compiles a draft where it would lie; `id` counts only when the text has none. */
  compile(draft: PipelineDraft, id: string): CompiledPipeline<Kind>
}

/** The rules of pipelines and their versions, over whatever keeps their records. */
export function createLibrary<Kind extends StageKind>({
  records,
  compile,
}: Services<Kind>): PipelineLibrary {
  const check = (draft: PipelineDraft, id?: string) =>
    requireValid(draft, compile(draft, id ?? randomUUID()), id)

  /** Writes what `edit` makes of a record and gives the version it names, as it is stored now. */
  async function save(
    id: string,
    edit: (record: PipelineRecord | undefined) => { record: PipelineRecord; number: number },
  ) {
    let edited: ReturnType<typeof edit> | undefined
    await records.change(id, (record) => (edited = edit(record)).record)
    const { record, version } = locate(id, edited?.record, edited?.number)
    return toStored(id, record, version)
  }

  const updateVersion: (
    id: string,
    number: number | undefined,
    ...rest: [draft: PipelineDraft, condition?: { ifMatch?: string; description?: string }]
  ) => ReturnType<typeof save> = async (id, number, draft, { ifMatch, description } = {}) => {
    const checked = check(draft, id)
    return save(id, (found) => {
      const { record, version } = locate(id, found, number)
      requireMatch(toStored(id, record, version), ifMatch)
      const next = toVersion(checked, version, description ?? version.description)
      return { record: withVersion(record, next), number: version.version }
    })
  }

  return {
    list: () =>
      records.list().map(({ id, record }) => toStored(id, record, locate(id, record).version)),
    get(id) {
      const record = records.get(id)
      return record && toStored(id, record, locate(id, record).version)
    },
    versions(id) {
      const record = records.get(id)
      return record?.versions.map((version) => toStored(id, record, version)) ?? []
    },
    version(id, number) {
      const record = records.get(id)
      const version = record?.versions.find((one) => one.version === number)
      return record && version && toStored(id, record, version)
    },
    check(draft, id) {
      const { definition, diagnostics } = compile(draft, id ?? randomUUID())
      const known = definition?.id ?? id
      return { diagnostics, ...(known !== undefined && { id: known }) }
    },
    async create(draft) {
      const { id, ...checked } = check(draft)
      return save(id, (found) => {
        if (found)
          throw errors.conflict(
            `A pipeline with the id "${id}" exists; update it or choose another id`,
          )
        const first = toVersion({ id, ...checked }, { version: 1, createdAt: nowSeconds() })
        return { record: { live: 1, versions: [first] }, number: 1 }
      })
    },
    update: (id, draft, condition) => updateVersion(id, undefined, draft, condition),
    updateVersion,
    remove: (id, { ifMatch } = {}) =>
      records.change(id, (found) => {
        const { record, version } = locate(id, found)
        requireMatch(toStored(id, record, version), ifMatch)
        return undefined
      }),
    async addVersion(id, draft, { description } = {}) {
      const checked = check(draft, id)
      return save(id, (found) => {
        const { record } = locate(id, found)
        const number = nextVersion(record)
        const added = { version: number, createdAt: nowSeconds() }
        return { record: withVersion(record, toVersion(checked, added, description)), number }
      })
    },
    makeLive: (id, number) =>
      save(id, (found) => {
        const { record } = locate(id, found, number)
        return { record: { ...record, live: number }, number }
      }),
    onChange: records.onChange,
  }
}

function toVersion(
  { id: _id, ...checked }: CheckedDraft,
  { version, createdAt }: Pick<PipelineVersion, 'version' | 'createdAt'>,
  description?: string,
): PipelineVersion {
  return {
    version,
    ...(description !== undefined && { description }),
    ...checked,
    createdAt,
    updatedAt: nowSeconds(),
  }
}
