import type { PipelineEdit } from '../../contract/pipeline-edit.ts'
import { didYouMean } from '../nearest.ts'
import { planOrder } from '../order.ts'
import { isRaw, listOf, type Raw } from '../raw.ts'
import type { Path } from '../read-document.ts'
import { neededId, writtenId } from '../stage-ids.ts'
import { isSame, type Operation, valueAt } from './operation.ts'
import { renameReferences } from './rename-references.ts'
import type { Batches } from './write-batches.ts'

/** Why an edit cannot be made; `path` is the place to show. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly path: Path
}

/** Larger differences are written anew as a whole. */
const MOST_CHANGES = 40

/** Takes an edit apart into operations on the definition as its author wrote it. Pure. */
export function planEdit(root: Raw, edit: PipelineEdit): Batches | Refusal {
  const stages = listOf(root['stages'])
  const ids = stages.map(writtenId)
  const missing = (id: string): Refusal =>
    refuse('edit-no-stage', `There is no stage "${id}"${didYouMean(id, known(ids))}`, ['stages'])
  if (edit.kind === 'addStage') return addStage(root, ids, edit)
  if (edit.kind === 'setField') return setField(root, written(root, edit.path), edit.value)
  if (edit.kind === 'removeField') {
    const path = written(root, edit.path)
    if (valueAt(root, path) !== undefined) return [[{ does: 'remove', path }]]
    return refuse('edit-no-field', `There is no ${edit.path.join('.')} to remove`, path)
  }

  const index = ids.indexOf(edit.stage)
  const stage = stages[index]
  if (!isRaw(stage)) return missing(edit.stage)
  const path = ['stages', index]
  switch (edit.kind) {
    case 'removeStage':
      return [dropNeeds(stages, edit.stage, ids), [{ does: 'remove', path }]]
    case 'renameStage':
      if (edit.id === edit.stage) return []
      if (ids.includes(edit.id))
        return refuse('duplicate-id', `Another stage is called "${edit.id}" already`, path)
      return [
        [
          { does: 'set', path: [...path, 'id'], value: edit.id },
          ...renameReferences(stages, index, edit, ids),
        ],
      ]
    case 'connect':
      if (!ids.includes(edit.needs)) return missing(edit.needs)
      return connect(stages, index, edit.needs, ids)
    case 'disconnect': {
      const removal = removeNeed(stages, index, edit.needs, ids)
      if (removal) return [[removal]]
      return refuse('edit-no-need', `"${edit.stage}" does not need "${edit.needs}"`, [
        ...path,
        'needs',
      ])
    }
    case 'setEnabled':
      if (edit.enabled)
        return 'enabled' in stage ? [[{ does: 'remove', path: [...path, 'enabled'] }]] : []
      return [[{ does: 'set', path: [...path, 'enabled'], value: false }]]
    default: {
      const to = Math.min(edit.index, stages.length - 1)
      return to === index ? [] : [[{ does: 'move', path: ['stages'], from: index, to }]]
    }
  }
}

const refuse = (code: string, message: string, path: Path): Refusal => ({ code, message, path })

const known = (ids: readonly (string | undefined)[]) => ids.flatMap((id) => id ?? [])

type Ids = readonly (string | undefined)[]

function addStage(
  root: Raw,
  ids: Ids,
  { stage, index }: Extract<PipelineEdit, { kind: 'addStage' }>,
): Batches | Refusal {
  const id = writtenId(stage)
  if (id !== undefined && ids.includes(id))
    return refuse('duplicate-id', `A stage is called "${id}" already; give this one another id`, [
      'stages',
      ids.indexOf(id),
    ])
  if (!Array.isArray(root['stages'])) return [[{ does: 'set', path: ['stages'], value: [stage] }]]
  const at = Math.min(index ?? ids.length, ids.length)
  return [[{ does: 'insert', path: ['stages'], index: at, value: stage }]]
}

function connect(stages: readonly unknown[], index: number, need: string, ids: Ids) {
  const stage = stages[index]
  const id = ids[index] ?? ''
  const path = ['stages', index, 'needs']
  const needs = isRaw(stage) ? (stage['needs'] ?? undefined) : undefined
  if (needs !== undefined && !Array.isArray(needs))
    return refuse('wrong-type', `The needs of "${id}" are no list`, path)
  if (listOf(needs).some((one) => neededId(one, ids) === need)) return []
  const dependencies = stages.map((one, place) => ({
    id: ids[place] ?? `#${place}`,
    needs: [
      ...listOf(isRaw(one) ? one['needs'] : undefined).flatMap((name) => neededId(name, ids) ?? []),
      ...(place === index ? [need] : []),
    ],
  }))
  const order = planOrder(dependencies)
  if ('cycle' in order)
    return refuse(
      'needs-cycle',
      `These stages would wait for one another: ${order.cycle.join(' → ')}`,
      path,
    )
  return needs === undefined
    ? [[{ does: 'set' as const, path, value: [need] }]]
    : [[{ does: 'insert' as const, path, index: needs.length, value: need }]]
}

/** Takes an id out of a stage's needs, and the key with the last one; nothing when it is not there. */
function removeNeed(
  stages: readonly unknown[],
  index: number,
  need: string,
  ids: Ids,
): Operation | undefined {
  const stage = stages[index]
  const needs = isRaw(stage) ? listOf(stage['needs']) : []
  const path = ['stages', index, 'needs']
  const isIt = (one: unknown) => neededId(one, ids) === need
  const left = needs.filter((one) => !isIt(one))
  if (left.length === needs.length) return undefined
  if (left.length === 0) return { does: 'remove', path }
  return left.length === needs.length - 1
    ? { does: 'remove', path: [...path, needs.findIndex(isIt)] }
    : { does: 'set', path, value: left }
}

const dropNeeds = (stages: readonly unknown[], id: string, ids: Ids): Operation[] =>
  stages.flatMap((_stage, index) =>
    ids[index] === id ? [] : (removeNeed(stages, index, id, ids) ?? []),
  )

/** Sets only what differs, so that comments inside of maps stay. */
function setField(root: Raw, path: Path, value: unknown): Batches | Refusal {
  for (const depth of path.keys()) {
    const holder = valueAt(root, path.slice(0, depth))
    const isList = typeof path[depth] === 'number'
    if (holder === undefined || holder === null) break
    if (isList ? !Array.isArray(holder) : !isRaw(holder))
      return refuse(
        'wrong-type',
        `${path.slice(0, depth).join('.') || 'The pipeline'} is no ${isList ? 'list' : 'map'}`,
        path.slice(0, depth),
      )
    if (isList && Array.isArray(holder) && Number(path[depth]) > holder.length)
      return refuse(
        'edit-no-field',
        `${path.slice(0, depth).join('.')} has only ${holder.length} entries`,
        path.slice(0, depth),
      )
  }
  const changes = differences(path, valueAt(root, path), value)
  return changes.length > MOST_CHANGES
    ? [[{ does: 'set', path, value }]]
    : changes.map((change) => [change])
}

function differences(path: Path, before: unknown, after: unknown): Operation[] {
  if (isRaw(before) && isRaw(after) && Object.keys(after).length > 0) {
    const set = Object.entries(after).flatMap(([key, value]) =>
      differences([...path, key], Object.hasOwn(before, key) ? before[key] : undefined, value),
    )
    const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
    return [...set, ...gone.map((key): Operation => ({ does: 'remove', path: [...path, key] }))]
  }
  return isSame(before, after) ? [] : [{ does: 'set', path, value: after }]
}

/** A path in the names of the text: the key `use` may be written `uses`. */
function written(root: Raw, path: Path): Path {
  const [first, index, key, ...rest] = path
  const stage = valueAt(root, path.slice(0, 2))
  return first === 'stages' && key === 'use' && isRaw(stage) && !('use' in stage) && 'uses' in stage
    ? ['stages', index ?? 0, 'uses', ...rest]
    : path
}
