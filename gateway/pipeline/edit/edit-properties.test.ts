import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Document, isNode, isScalar, parse, parseDocument, visit } from 'yaml'
import type { PipelineEdit } from '../../contract/pipeline-edit.ts'
import { editPipeline } from './edit-pipeline.ts'

interface Stage {
  id: string
  [key: string]: unknown
}
type Model = { stages: Stage[]; [key: string]: unknown }

const word = fc.constantFrom(
  'a',
  'size',
  'x y',
  '10',
  'true',
  'it’s',
  '#1',
  'a: b',
  '{{envs.x}}',
  '- c',
)
const leaf = fc.oneof(word, fc.integer({ min: -5, max: 500 }), fc.boolean(), fc.constant(null))
const json = fc.letrec<{ value: fc.JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('k', 'l', 'm n', '7'), tie('value'), { maxKeys: 3 }),
  ),
})).value
const script = fc.constantFrom('one()\n', 'if (a) {\n  b()\n}\n', 'x\n\ny', 'return 1')

const stageBody = fc.record(
  {
    use: fc.constantFrom('replaceWords', 'customData'),
    inputs: fc.dictionary(fc.constantFrom('data', 'size', 'path'), json, {
      minKeys: 1,
      maxKeys: 3,
    }),
    script,
    enabled: fc.boolean(),
    description: word,
    trigger: fc.record({ expression: word }),
  },
  { requiredKeys: ['use'] },
)
const model = fc
  .record({
    stages: fc.array(fc.tuple(stageBody, fc.array(fc.nat(8), { maxLength: 3 })), {
      minLength: 1,
      maxLength: 5,
    }),
    envs: fc.dictionary(fc.constantFrom('A', 'B'), leaf, { maxKeys: 2 }),
  })
  .map(({ stages, envs }): Model => ({
    id: 'p',
    envs,
    stages: stages.map(([body, needs], index) => {
      const ids = [...new Set(needs)].filter((need) => need < index).map((need) => `s${need}`)
      return { id: `s${index}`, ...body, ...(ids.length > 0 && { needs: ids }) }
    }),
    routes: [{ path: '/a', method: 'GET' }],
  }))

/** One of several ways to write a model: styles, comments, blank lines, quotes, line breaks. */
const written = fc
  .record({
    model,
    dice: fc.array(fc.nat(99), { minLength: 60, maxLength: 60 }),
    indent: fc.constantFrom(2, 3, 4),
    indentSeq: fc.boolean(),
    kind: fc.constantFrom('yaml', 'yaml', 'yaml', 'crlf', 'json', 'json tab', 'json line'),
  })
  .map(({ model, dice, indent, indentSeq, kind }) => {
    if (kind.startsWith('json')) {
      const space = kind === 'json' ? indent : kind === 'json tab' ? '\t' : undefined
      return { model, path: 'a.json', text: JSON.stringify(model, null, space) }
    }
    const doc = new Document(model)
    let at = 0
    const next = () => dice[at++ % dice.length] ?? 0
    let comments = 0
    doc.commentBefore = ' the top'
    visit(doc, (key, node): typeof visit.SKIP | undefined => {
      if (!isNode(node) || node === doc.contents) return undefined
      if (isScalar(node)) {
        const isLine = typeof node.value === 'string' && !node.value.includes('\n')
        if (isLine && next() < 20) node.type = next() < 50 ? 'QUOTE_SINGLE' : 'QUOTE_DOUBLE'
        if (isLine && key !== 'key' && next() < 20) node.comment = ` c${comments++}`
      } else if ('flow' in node && 'items' in node && next() < 15) {
        node.flow = true
        return visit.SKIP
      }
      if (typeof key === 'number' && next() < 30) node.commentBefore = ` c${comments++}`
      if ((typeof key === 'number' || key === 'key') && next() < 20) node.spaceBefore = true
      if (key === 'key' && next() < 15) node.commentBefore = ` c${comments++}`
      return undefined
    })
    const text = doc.toString({ indent, indentSeq, lineWidth: next() < 50 ? 0 : 80 })
    return { model, path: 'a.yaml', text: kind === 'crlf' ? text.replaceAll('\n', '\r\n') : text }
  })
  .filter(({ model, text }) => {
    // What the library itself does not write faithfully tells nothing about edits.
    const doc = parseDocument(text)
    return doc.errors.length === 0 && JSON.stringify(doc.toJS()) === JSON.stringify(model)
  })

/** An edit of a pipeline with stages s0, s1, … */
const change = fc.oneof(
  fc.record({ kind: fc.constant('addStage'), stage: stageBody, index: fc.nat(6) }),
  fc.record({ kind: fc.constant('removeStage'), stage: fc.nat(4) }),
  fc.record({ kind: fc.constant('renameStage'), stage: fc.nat(4) }),
  fc.record({ kind: fc.constant('connect'), stage: fc.nat(4), needs: fc.nat(4) }),
  fc.record({ kind: fc.constant('disconnect'), stage: fc.nat(4), needs: fc.nat(4) }),
  fc.record({ kind: fc.constant('setEnabled'), stage: fc.nat(4), enabled: fc.boolean() }),
  fc.record({ kind: fc.constant('moveStage'), stage: fc.nat(4), index: fc.nat(4) }),
  fc.record({
    kind: fc.constant('setField'),
    stage: fc.nat(4),
    key: fc.constantFrom('inputs', 'note', 'script', 'use'),
    value: json,
  }),
  fc.record({
    kind: fc.constant('setField'),
    path: fc.constantFrom(
      ['envs'],
      ['envs', 'A'],
      ['envs', 'N'],
      ['routes', 0],
      ['routes', 1],
      ['routes', 0, 'method'],
      ['routes', 0, 'classify', 'acl'],
      ['priority'],
      ['trigger', 'timeframe', 'start_time'],
    ),
    value: json,
  }),
  fc.record({
    kind: fc.constant('removeField'),
    stage: fc.nat(4),
    key: fc.constantFrom('inputs', 'script', 'needs', 'description', 'use'),
  }),
) as fc.Arbitrary<Record<string, unknown> & { kind: PipelineEdit['kind'] }>

type Change = Record<string, unknown> & { kind: PipelineEdit['kind'] }

/** The edit, what it makes of the model, and the edit that takes it back; nothing where it is refused. */
function meaning(before: Model, change: Change) {
  const model = structuredClone(before)
  const { stages } = model
  const index = typeof change['stage'] === 'number' ? change['stage'] % stages.length : 0
  const stage = stages[index] as Stage
  const other = stages[Number(change['needs']) % stages.length] as Stage
  const needs = (one: Stage) => (one['needs'] ?? []) as string[]
  const setNeeds = (one: Stage, ids: string[]) => {
    if (ids.length > 0) one['needs'] = ids
    else delete one['needs']
  }
  const id = stage.id
  switch (change.kind) {
    case 'addStage': {
      const added = { id: 'new', ...(change['stage'] as object) }
      const at = Math.min(Number(change['index']), stages.length)
      stages.splice(at, 0, added)
      const edit = { kind: 'addStage', stage: added, index: at } as PipelineEdit
      return { model, edit, back: { kind: 'removeStage', stage: 'new' } as PipelineEdit }
    }
    case 'removeStage': {
      stages.splice(index, 1)
      for (const one of stages)
        setNeeds(
          one,
          needs(one).filter((need) => need !== id),
        )
      const isNeeded =
        stages.length !== before.stages.length - 1 ||
        before.stages.some((one) => needs(one).includes(id))
      const edit: PipelineEdit = { kind: 'removeStage', stage: id }
      return {
        model,
        edit,
        ...(!isNeeded && { back: { kind: 'addStage', stage, index } as PipelineEdit }),
      }
    }
    case 'renameStage':
      stage.id = 'other name'
      for (const one of stages)
        setNeeds(
          one,
          needs(one).map((need) => (need === id ? stage.id : need)),
        )
      return {
        model,
        edit: { kind: 'renameStage', stage: id, id: stage.id } as PipelineEdit,
        back: { kind: 'renameStage', stage: stage.id, id } as PipelineEdit,
      }
    case 'connect': {
      const edit: PipelineEdit = { kind: 'connect', stage: id, needs: other.id }
      if (needs(stage).includes(other.id)) return { model, edit }
      setNeeds(stage, [...needs(stage), other.id])
      return { model, edit, back: { ...edit, kind: 'disconnect' } as PipelineEdit }
    }
    case 'disconnect': {
      const edit: PipelineEdit = { kind: 'disconnect', stage: id, needs: other.id }
      const wasLast = needs(stage).at(-1) === other.id
      setNeeds(
        stage,
        needs(stage).filter((need) => need !== other.id),
      )
      return { model, edit, ...(wasLast && { back: { ...edit, kind: 'connect' } as PipelineEdit }) }
    }
    case 'setEnabled': {
      const edit: PipelineEdit = {
        kind: 'setEnabled',
        stage: id,
        enabled: change['enabled'] === true,
      }
      if (edit.enabled) delete stage['enabled']
      else stage['enabled'] = false
      return {
        model,
        edit,
        ...(!edit.enabled &&
          !('enabled' in (before.stages[index] ?? {})) && {
            back: { ...edit, enabled: !edit.enabled },
          }),
      }
    }
    case 'moveStage': {
      const to = Number(change['index']) % stages.length
      stages.splice(to, 0, ...stages.splice(index, 1))
      const edit: PipelineEdit = { kind: 'moveStage', stage: id, index: to }
      return { model, edit, back: { ...edit, index } }
    }
    case 'setField': {
      if (Array.isArray(change['path'])) return setAnywhere(model, change)
      const key = String(change['key'])
      const path = ['stages', index, key]
      const value = change['value'] as fc.JsonValue
      const old = stage[key] as fc.JsonValue | undefined
      stage[key] = value
      return {
        model,
        edit: { kind: 'setField', path, value } as PipelineEdit,
        back: (old === undefined
          ? { kind: 'removeField', path }
          : { kind: 'setField', path, value: old }) as PipelineEdit,
      }
    }
    default: {
      const key = String(change['key'])
      const path = ['stages', index, key]
      const old = stage[key] as fc.JsonValue | undefined
      delete stage[key]
      return {
        model,
        edit: { kind: 'removeField', path } as PipelineEdit,
        ...(old !== undefined && { back: { kind: 'setField', path, value: old } as PipelineEdit }),
      }
    }
  }
}

/** From a stage's first character to what follows it. */
function stageRange(text: string, index: number) {
  const node = parseDocument(text).getIn(['stages', index], true)
  return isNode(node) && node.range ? [node.range[0], node.range[2]] : [0, 0]
}

/** Sets a value outside of the stages; maps on the way are made. */
function setAnywhere(model: Model, change: Change) {
  const path = change['path'] as (string | number)[]
  const value = change['value'] as fc.JsonValue
  let holder = model as Record<string | number, unknown>
  let made: (string | number)[] | undefined
  for (const [depth, key] of path.slice(0, -1).entries()) {
    if (holder[key] === undefined) {
      holder[key] = {}
      made ??= path.slice(0, depth + 1)
    }
    holder = holder[key] as Record<string | number, unknown>
  }
  const last = path.at(-1) ?? ''
  const old = holder[last] as fc.JsonValue | undefined
  holder[last] = value
  const back =
    made || old === undefined
      ? { kind: 'removeField', path: made ?? path }
      : { kind: 'setField', path, value: old }
  return {
    model,
    edit: { kind: 'setField', path, value } as PipelineEdit,
    back: back as PipelineEdit,
  }
}

/** What stands between a stage's first and last character, by its id. */
function stageTexts(text: string) {
  const doc = parseDocument(text)
  const stages = doc.get('stages', true)
  const texts = new Map<string, string>()
  if (stages && typeof stages === 'object' && 'items' in stages)
    for (const item of stages.items as unknown[]) {
      if (!isNode(item) || !item.range) continue
      const { id } = item.toJS(doc) as Stage
      texts.set(id, text.slice(item.range[0], item.range[1]).trimEnd())
    }
  return texts
}

const touched = (edit: PipelineEdit, before: Model) => {
  const named = [
    'stage' in edit && typeof edit.stage === 'string' ? edit.stage : '',
    'path' in edit && edit.path[0] === 'stages'
      ? (before.stages[Number(edit.path[1])]?.id ?? '')
      : '',
  ]
  const users = before.stages.filter(
    ({ needs }) => Array.isArray(needs) && needs.includes(named[0]),
  )
  return edit.kind === 'moveStage' ? [] : [...named, ...users.map(({ id }) => id)]
}

const REFUSALS = new Set(['needs-cycle', 'edit-no-need', 'edit-no-field', 'duplicate-id'])

test('any edit of any text means what it says and leaves the other stages as they are written', () => {
  let done = 0
  fc.assert(
    fc.property(written, change, ({ model: before, path, text }, change) => {
      const { model, edit, back } = meaning(before, change)
      const { text: after, diagnostics } = editPipeline({ path, text }, edit)
      if (diagnostics.length > 0) {
        expect(after).toBe(text)
        const codes = diagnostics.map(({ code }) => code)
        expect(
          codes.every((code) => REFUSALS.has(code)),
          `${JSON.stringify(edit)} ${codes.join()}\n${text}`,
        ).toBe(true)
        return
      }
      done++
      expect(parse(after)).toEqual(model)
      if (path === 'a.json') expect(JSON.parse(after)).toEqual(model)
      else if (
        edit.kind === 'moveStage' ||
        edit.kind === 'connect' ||
        edit.kind === 'addStage' ||
        edit.kind === 'renameStage'
      ) {
        const comments = (one: string) => (one.match(/# c\d+\b/g) ?? []).toSorted()
        expect(comments(after)).toEqual(comments(text))
      }
      if ('key' in change || edit.kind === 'setEnabled' || edit.kind === 'connect') {
        const [start, end] = stageRange(text, Number(change['stage']) % before.stages.length)
        expect([after.slice(0, start), after.endsWith(text.slice(end))]).toEqual([
          text.slice(0, start),
          true,
        ])
      }
      const ids = touched(edit, before)
      for (const [id, written] of stageTexts(text))
        if (!ids.includes(id)) expect(stageTexts(after).get(id)).toBe(written)
      if (!back) return
      const undone = editPipeline({ path, text: after }, back)
      expect(undone.diagnostics, `${JSON.stringify(back)}\n${after}`).toEqual([])
      expect(parse(undone.text)).toEqual(before)
    }),
    { numRuns: 250 },
  )
  expect(done).toBeGreaterThan(100)
})
