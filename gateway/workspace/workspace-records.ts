import { readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { errors } from '../errors.ts'
import { fileOf } from '../library/check-draft.ts'
import type { CompiledPipeline } from '../library/compile.ts'
import type { PipelineRecord, PipelineVersion, RecordStore } from '../library/record.ts'
import type { ScriptLookup } from '../pipeline/find-scripts.ts'
import type { StageKind } from '../pipeline/stage-kind.ts'
import { inside } from './files.ts'
import type { FileChange, SaveJournal } from './save-journal.ts'
import { isListed } from './scan.ts'
import { findScript } from './script-lookup.ts'

interface Services<Kind extends StageKind> {
  root: string
  /** All pipeline files as they were read last. */
  loaded(): readonly CompiledPipeline<Kind>[]
  resolveScript(file: string, ref: string): ScriptLookup
  journal: SaveJournal
  /** Reads these files anew: they were written by a save, or by somebody else. */
  reload(paths: readonly string[]): void
  onChange(listener: () => void): () => void
}

/**
 * Records of an open workspace: the live version is the pipeline's file with its scripts, whoever
 * wrote them; the others lie in the state of this machine. A save changes all it touches or nothing.
 */
export function createWorkspaceRecords<Kind extends StageKind>(
  services: Services<Kind>,
): RecordStore {
  const { root, journal, loaded } = services
  const full = (path: string) => posix.join(root.replaceAll('\\', '/'), path)

  function toRecord(pipeline: CompiledPipeline<Kind>): [id: string, record: PipelineRecord] {
    const id = pipeline.model?.pipelineId ?? ''
    const kept = journal.record(id)
    const before = kept?.versions.find(({ version }) => version === kept.live)
    const live = toLive(pipeline, before, full(pipeline.file))
    const others = kept?.versions.filter(({ version }) => version !== live.version) ?? []
    const versions = [...others, live].toSorted((a, b) => a.version - b.version)
    return [id, { live: live.version, versions }]
  }

  const fileWith = (id: string) =>
    loaded().find(({ model, diagnostics }) => model?.pipelineId === id && !isHidden(diagnostics))
  const get = (id: string) => {
    const pipeline = fileWith(id)
    return pipeline && toRecord(pipeline)[1]
  }

  /** What a save has to write: nothing for a version that is not live. */
  function changesOf(id: string, before: PipelineRecord | undefined, next?: PipelineRecord) {
    const file = fileWith(id)?.file
    if (!next) return file === undefined ? [] : [{ path: file, text: null }]
    const live = next.versions.find(({ version }) => version === next.live)
    if (!live || (before && isSameText(liveOf(before), live))) return []
    const path = file === undefined ? fileOf(id, live.extension) : withEnding(file, live.extension)
    const changes: FileChange[] = [{ path, text: live.content }]
    if (file !== undefined && file !== path) changes.push({ path: file, text: null })
    for (const [ref, text] of Object.entries(live.scripts)) {
      const found = services.resolveScript(path, ref)
      if (!('path' in found)) changes.push({ path: placeOf(path, ref), text })
      else if (found.text !== text) {
        if (!before?.versions.some(({ scripts }) => Object.hasOwn(scripts, ref)))
          refuseForeign(id, found.path)
        changes.push({ path: found.path, text })
      }
    }
    return changes
  }

  /** A pipeline that comes to a script of another one must not change it unasked. */
  function refuseForeign(id: string, script: string) {
    const owner = loaded().find(({ model, file, scripts }) => {
      const refs = model?.pipelineId === id ? [] : Object.keys(scripts)
      return refs.some((ref) => {
        const found = services.resolveScript(file, ref)
        return 'path' in found && found.path === script
      })
    })
    if (owner)
      throw errors.conflict(
        `The script ${script} belongs to pipeline "${owner.model?.pipelineId ?? owner.file}" and ` +
          'holds another text; choose another scriptRef',
      )
  }

  /** Whoever edits files beside us is seen a moment later; a save must not undo what they did. */
  function readAgainWhenStale(id: string) {
    const pipeline = fileWith(id)
    if (!pipeline) return services.reload([])
    const isCurrent =
      readIfThere(full(pipeline.file)) === pipeline.text &&
      Object.entries(pipeline.scripts).every(([ref, text]) => {
        const found = services.resolveScript(pipeline.file, ref)
        return 'path' in found && found.text === text
      })
    if (!isCurrent) services.reload([pipeline.file])
  }

  /** One save at a time: each judges what the one before it left. */
  let last: Promise<unknown> = Promise.resolve()

  async function change(
    id: string,
    edit: (record: PipelineRecord | undefined) => PipelineRecord | undefined,
  ) {
    readAgainWhenStale(id)
    const before = get(id)
    const next = edit(before)
    const changes = changesOf(id, before, next)
    for (const { path } of changes) await inside(root, path)
    const [first] = changes
    if (!before && first && readIfThere(full(first.path)) !== undefined)
      throw errors.conflict(
        `The file ${first.path} exists and holds another pipeline, or a mistake`,
      )
    journal.save(id, { record: next, files: changes })
    services.reload(changes.map(({ path }) => path))
  }

  return {
    get,
    list: () =>
      loaded()
        .filter(({ model, diagnostics }) => model && !isHidden(diagnostics))
        .map(toRecord)
        .map(([id, record]) => ({ id, record }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    change(id, edit) {
      const result = last.then(() => change(id, edit))
      last = result.catch(() => undefined)
      return result
    },
    onChange: services.onChange,
  }
}

/** The live version as the files say it; what files cannot say comes from the last save. */
function toLive<Kind extends StageKind>(
  { text, scripts, model, file }: CompiledPipeline<Kind>,
  before: PipelineVersion | undefined,
  path: string,
): PipelineVersion {
  const { birthtimeMs = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  const written: PipelineVersion = {
    version: before?.version ?? 1,
    ...(before?.description !== undefined && { description: before.description }),
    content: text,
    extension: file.endsWith('.json') ? 'json' : 'yaml',
    ...(before?.validateContext !== undefined && { validateContext: before.validateContext }),
    scripts,
    enabled: model?.enabled ?? true,
    priority: model?.priority ?? 0,
    createdAt: before?.createdAt ?? Math.floor((birthtimeMs || mtimeMs) / 1000),
    updatedAt: Math.floor(mtimeMs / 1000),
  }
  return before && isSameText(before, written)
    ? { ...written, updatedAt: before.updatedAt }
    : written
}

const liveOf = ({ live, versions }: PipelineRecord) =>
  versions.find(({ version }) => version === live)

function isSameText(a: PipelineVersion | undefined, b: PipelineVersion) {
  const scriptsOf = ({ scripts }: PipelineVersion) =>
    JSON.stringify(Object.entries(scripts).toSorted(([x], [y]) => (x < y ? -1 : 1)))
  return (
    a !== undefined &&
    a.content === b.content &&
    a.extension === b.extension &&
    scriptsOf(a) === scriptsOf(b)
  )
}

const isHidden = (diagnostics: CompiledPipeline<StageKind>['diagnostics']) =>
  diagnostics.some(({ code }) => code === 'duplicate-pipeline-id')

/** A text that is JSON now does not stay in a file that says YAML. */
const withEnding = (path: string, extension: 'yaml' | 'json') =>
  (extension === 'json') === path.endsWith('.json')
    ? path
    : path.replace(/\.(ya?ml|json)$/i, `.${extension}`)

/** Where a script goes that is no file yet: beside its pipeline, where it is looked up first. */
const defaultPath = (file: string, ref: string) =>
  posix.join(posix.dirname(file), ref.replace(/^\/+/, '')) + (/\.m?js$/.test(ref) ? '' : '.js')

/** @throws {GatewayError} PIPELINE_INVALID when nobody would look for the script there. */
function placeOf(file: string, ref: string) {
  const path = defaultPath(file, ref)
  const found = findScript(file, ref, {
    paths: isListed(path) ? [path] : [],
    read: () => '',
  })
  if ('path' in found) return path
  throw errors.pipelineInvalid(
    `No script is looked for at the scriptRef "${ref}"; choose a file beside the pipeline, such as ` +
      'scripts/rank.js',
  )
}

const readIfThere = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
