import { checkExpression } from './check-expression.ts'
import { checkInputs } from './check-inputs.ts'
import { checkNeeds } from './check-needs.ts'
import { changeTo, fixByOperations, fixName } from './fixes.ts'
import { didYouMean } from './nearest.ts'
import { isRaw, listOf, type Raw, textOf } from './raw.ts'
import type { SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'
import type { StageKind } from './stage-kind.ts'

/** Keys of the context that no asynchronous stage may put its result under. */
const RESERVED = new Set(['request', 'response', 'envs', 'console_logs', 'stageChanges'])

const MOST_STAGES_MENDED = 50

interface About {
  document: SourceDocument
  report: Report
  kinds: ReadonlyMap<string, StageKind>
  planned: readonly string[]
  /** Stages a pipeline may have. */
  maxStages: number
}

/** Checks everything about stages that their shape does not say. */
export function checkStages(definition: Raw, about: About) {
  const stages = listOf(definition['stages'])
  if (stages.length > about.maxStages)
    about.report.error(
      'too-many',
      `A pipeline may have ${about.maxStages} stages (limits.stages), and this one has ${stages.length}`,
      about.document.locate(['stages', about.maxStages]),
    )
  checkIds(stages, about)
  checkNeeds(stages, about)
  for (const [index, stage] of stages.entries())
    if (isRaw(stage)) checkStage(stage, index, definition, about)
  const guards = [...about.kinds.values()].filter(({ position }) => position === 'guard')
  const isGuarded = stages.some(
    (stage) =>
      isRaw(stage) && stage['enabled'] !== false && guards.some(({ use }) => use === stage['use']),
  )
  // A scheduled pipeline takes no requests, so nobody may call it anyway.
  const { trigger } = definition
  const isScheduled = isRaw(trigger) && trigger['type'] === 'cron'
  if (guards.length > 0 && !isGuarded && !isScheduled && definition['routes'] !== undefined)
    about.report.warning(
      'open-route',
      `Everyone may call these routes: no stage uses ${guards.map(({ use }) => use).join(' or ')}`,
      about.document.locateKey(['routes']),
    )
}

function checkIds(stages: readonly unknown[], { document, report }: About) {
  const seen = new Set<string>()
  for (const [index, stage] of stages.entries()) {
    const id = isRaw(stage) ? textOf(stage['id']) : undefined
    if (!isRaw(stage) || id === undefined) continue
    const where = document.locate([
      'stages',
      index,
      document.has(['stages', index, 'id']) ? 'id' : 'use',
    ])
    if (seen.has(id))
      report.error(
        'duplicate-id',
        `More than one stage is called "${id}"; give each its own id`,
        where,
        fixDuplicate(stages, index, id, document),
      )
    seen.add(id)
    if (stage['async'] === true && RESERVED.has(id))
      report.error(
        'reserved-id',
        `An asynchronous stage puts its result under its id, and "${id}" is taken by the context`,
        where,
      )
  }
}

/** The first free name of the form `id-2`. */
function fixDuplicate(
  stages: readonly unknown[],
  index: number,
  id: string,
  document: SourceDocument,
) {
  const taken = stages.map((stage) => (isRaw(stage) ? stage['id'] : undefined))
  let number = 2
  while (taken.includes(`${id}-${number}`)) number++
  const value = `${id}-${number}`
  const path = ['stages', index, 'id']
  const title = `Call it "${value}"`
  const rewrite = document.rewrite(path, value)
  if (rewrite) return { title, edits: [rewrite] }
  // Writing a new key reads the text anew: not for each of hundreds of stages.
  return stages.length > MOST_STAGES_MENDED
    ? undefined
    : fixByOperations(document, title, [[{ does: 'set', path, value }]])
}

function checkStage(stage: Raw, index: number, definition: Raw, about: About) {
  const { document, report, kinds, planned } = about
  const path = ['stages', index]
  const use = textOf(stage['use'])
  const hasScript = stage['script'] !== undefined
  const hasRef = stage['scriptRef'] !== undefined
  if (hasScript && hasRef)
    report.error(
      'script-and-ref',
      'A stage has either script or scriptRef, not both',
      document.locateKey([...path, 'scriptRef']),
    )
  if (use !== undefined && (hasScript || hasRef))
    report.error(
      'use-and-script',
      `A stage either uses "${use}" or runs a script, not both`,
      document.locateKey([...path, 'use']),
    )
  if (stage['use'] === undefined && !hasScript && !hasRef)
    report.error(
      'stage-without-work',
      'The stage does nothing: give it use, script or scriptRef',
      document.locate(path),
    )
  else if (stage['id'] === undefined && use === undefined)
    report.error('missing-key', 'A script stage needs an id', document.locate(path))

  const expression = isRaw(stage['trigger']) ? textOf(stage['trigger']['expression']) : undefined
  if (expression?.trim())
    checkExpression(expression, {
      path: [...path, 'trigger', 'expression'],
      names: ['context', 'envs', 'inputs'],
      document,
      report,
    })

  if (use === undefined || hasScript || hasRef) return
  const kind = kinds.get(use)
  if (!kind && planned.includes(use))
    return report.error(
      'planned-use',
      `The stage "${use}" is not available in this version`,
      document.locate([...path, 'use']),
    )
  if (!kind)
    return report.error(
      'unknown-use',
      `There is no stage "${use}"${didYouMean(use, kinds.keys()) || `; there are ${[...kinds.keys()].join(', ')}`}`,
      document.locate([...path, 'use']),
      fixName(document, [...path, 'use'], use, kinds.keys()),
    )
  checkKind(kind, stage, index, { definition, about })
}

function checkKind(
  kind: StageKind,
  stage: Raw,
  index: number,
  { definition, about: { document, report } }: { definition: Raw; about: About },
) {
  const path = ['stages', index]
  if (stage['async'] === true && !kind.mayBeAsync)
    report.warning(
      'async-ignored',
      `${kind.use} always runs in its turn; async is ignored`,
      document.locateKey([...path, 'async']),
    )
  const { needsCategory } = kind
  const categories = listOf(definition['routes']).map((route) =>
    isRaw(route) && isRaw(route['classify']) ? route['classify']['category'] : undefined,
  )
  if (needsCategory && categories.some((category) => category !== needsCategory))
    report.error(
      'category-required',
      `${kind.use} needs classify.category: ${needsCategory} on every route`,
      document.locate([...path, 'use']),
    )
  const { inputs } = stage
  if (inputs !== undefined && !isRaw(inputs)) return
  for (const { severity, code, path: inside, message, meant } of checkInputs(kind, inputs)
    .problems) {
    const place = [...path, 'inputs', ...inside]
    const rewrite = code === 'unknown-input' ? document.rewriteKey : document.rewrite
    report[severity](
      code,
      message,
      code === 'unknown-input'
        ? document.locateKey(place)
        : inputs === undefined
          ? document.locate([...path, 'use'])
          : document.locate(place),
      meant === undefined ? undefined : changeTo(meant, rewrite(place, meant)),
    )
  }
}
