import type { Diagnostic } from '../../contract/diagnostic.ts'
import { expressionIn } from '../category-literals.ts'
import { type Dialect, nameIn } from '../dialect.ts'
import { applyOperation, type Operation } from '../edit/operation.ts'
import { readsResult, renameReferences } from '../edit/rename-references.ts'
import { writeBatches } from '../edit/write-batches.ts'
import { isRaw, listOf, type Raw, textOf } from '../raw.ts'
import { type Path, readDocument, type SourceDocument } from '../read-document.ts'
import { writtenId } from '../stage-ids.ts'
import { applyFix } from '../text-edit.ts'

/** A text that was made of a pipeline. With an error among the diagnostics it is the text as it was. */
export interface Exchanged {
  text: string
  diagnostics: Diagnostic[]
}

/**
 * A pipeline in the names of one product (decisions.md 1, 2). Only names change: comments, order and
 * quotes stay. What goes by a changed name, such as `needs` of a stage without id, follows.
 */
export function toDialect(file: { path: string; text: string }, dialect: Dialect): Exchanged {
  const document = readDocument(file.path, file.text)
  const { value } = document
  if (!isRaw(value)) return { text: file.text, diagnostics: document.diagnostics }
  const stages = listOf(value['stages'])
  const keys = stages.flatMap((stage, index) =>
    isRaw(stage) && 'uses' in stage && !('use' in stage)
      ? (document.rewriteKey(['stages', index, 'use'], 'use') ?? [])
      : [],
  )
  const written = applyFix(file.text, keys)
  const inExpressions = expressions(value, dialect)
  const renamed = inExpressions.reduce<unknown>(applyOperation, value)
  const batches = [
    [...routeNames(listOf(value['routes']), dialect), ...stageNames(stages, dialect)],
    inExpressions,
    ...impliedIds(isRaw(renamed) ? listOf(renamed['stages']) : [], dialect),
  ]
  const named = writeBatches({ path: file.path, text: written }, batches)
  return 'why' in named
    ? { text: file.text, diagnostics: [sharedName(document, named.path)] }
    : { text: named.text, diagnostics: readers(stages, dialect, document) }
}

/** Renames of the names that stages use. */
const stageNames = (stages: readonly unknown[], dialect: Dialect): Operation[] =>
  stages.flatMap((stage, index): Operation[] => {
    const use = isRaw(stage) ? textOf(stage['use'] ?? stage['uses']) : undefined
    const value = use && nameIn(dialect, 'use', use)
    return value === use ? [] : [{ does: 'set', path: ['stages', index, 'use'], value }]
  })

function routeNames(routes: readonly unknown[], dialect: Dialect): Operation[] {
  return routes.flatMap((route, index): Operation[] => {
    if (!isRaw(route)) return []
    const path = textOf(route['path'])
    const { classify } = route
    const category = isRaw(classify) ? textOf(classify['category']) : undefined
    const changes = [
      {
        path: ['routes', index, 'path'],
        before: path,
        value: path
          ?.split('/')
          .map((segment) => nameIn(dialect, 'segment', segment))
          .join('/'),
      },
      {
        path: ['routes', index, 'classify', 'category'],
        before: category,
        value: category && nameIn(dialect, 'category', category),
      },
    ]
    return changes
      .filter(({ before, value }) => before !== value)
      .map(({ path, value }) => ({ does: 'set', path, value }))
  })
}

/** Categories in the expressions of triggers. */
function expressions(root: Raw, dialect: Dialect): Operation[] {
  const holders = [
    { holder: root, path: [] },
    ...listOf(root['stages']).map((holder, index) => ({ holder, path: ['stages', index] })),
  ]
  return holders.flatMap(({ holder, path }): Operation[] => {
    const trigger = isRaw(holder) ? holder['trigger'] : undefined
    const before = isRaw(trigger) ? textOf(trigger['expression']) : undefined
    const value = before === undefined ? undefined : expressionIn(dialect, before)
    return value === before
      ? []
      : [{ does: 'set', path: [...path, 'trigger', 'expression'], value }]
  })
}

/** Stages without an id whose implied one changes, with both names. */
const renamedIds = (stages: readonly unknown[], dialect: Dialect) =>
  stages.flatMap((stage, index) => {
    const stageId = writtenId(stage)
    const hasOwn = isRaw(stage) && textOf(stage['id']) !== undefined
    const id = stageId && !hasOwn ? nameIn(dialect, 'use', stageId) : stageId
    return stageId && id && id !== stageId ? [{ index, stage: stageId, id }] : []
  })

/** What names a stage without id follows its name, one stage after the other. */
function impliedIds(stages: readonly unknown[], dialect: Dialect): Operation[][] {
  const batches: Operation[][] = []
  let now = stages
  for (const { index, stage, id } of renamedIds(stages, dialect)) {
    const operations = renameReferences(now, index, { stage, id }, now.map(writtenId))
    batches.push(operations)
    const changed = operations.reduce<unknown>(applyOperation, { stages: now })
    now = isRaw(changed) ? listOf(changed['stages']) : now
  }
  return batches
}

/** Scripts that read the result of a stage by a name that has changed. */
function readers(
  stages: readonly unknown[],
  dialect: Dialect,
  document: SourceDocument,
): Diagnostic[] {
  return renamedIds(stages, dialect).flatMap(({ index, stage: from, id }) => {
    const renamed = stages[index]
    if (!isRaw(renamed) || renamed['async'] !== true) return []
    return stages.flatMap((stage, at): Diagnostic[] =>
      isRaw(stage) && typeof stage['script'] === 'string' && readsResult(stage['script'], from)
        ? [
            {
              severity: 'warning',
              code: 'renamed-in-script',
              message: `This script reads context.${from}, which is called "${id}" now; give that stage an id`,
              source: document.locate(['stages', at, 'script']),
            },
          ]
        : [],
    )
  })
}

const sharedName = (document: SourceDocument, path: Path): Diagnostic => ({
  severity: 'error',
  code: 'edit-shared',
  message: 'This name comes from an anchor elsewhere in the file; write it out here',
  source: document.locate(path),
})
