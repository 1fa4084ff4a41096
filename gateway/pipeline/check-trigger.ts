import { checkExpression } from './check-expression.ts'
import { toEpochMs } from './compile-trigger.ts'
import { parseSchedule } from './cron-schedule.ts'
import { isIndexing } from './decide-trigger.ts'
import { isRaw, listOf, type Raw, textOf } from './raw.ts'
import type { SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'
import { ExpressionError } from './trigger/tokens.ts'

/** Types that mean nothing without an expression. */
const NEEDS_EXPRESSION: Record<string, string> = {
  query: 'a condition on $query',
  filter: 'a condition on $filter',
  cron: 'a schedule such as "0 3 * * *"',
}

/** A request that indexes documents has no queries. */
const OF_QUERIES = ['$query', '$type', '$filter', '$customEvents']

interface About {
  document: SourceDocument
  report: Report
}

/** Checks a pipeline's trigger beyond its shape. */
export function checkTrigger(definition: Raw, { document, report }: About) {
  const { trigger } = definition
  if (!isRaw(trigger)) return
  const type = textOf(trigger['type']) ?? 'always'
  const expression = textOf(trigger['expression'])?.trim()
  const wanted = Object.hasOwn(NEEDS_EXPRESSION, type) ? NEEDS_EXPRESSION[type] : undefined
  if (wanted && !expression)
    report.error(
      'missing-key',
      `A trigger of the type ${type} needs an expression: ${wanted}`,
      document.locate(['trigger', 'type']),
    )
  if (expression && type !== 'cron')
    checkExpression(String(trigger['expression']), {
      path: ['trigger', 'expression'],
      names: ['envs', 'context'],
      ...(type === 'index' && { without: OF_QUERIES }),
      document,
      report,
    })
  if (type === 'index') checkIndexingRoute(definition, { document, report })
  if (expression && type === 'cron') {
    checkSchedule(String(trigger['expression']), { document, report })
    checkScheduledRoute(definition, { document, report })
  }
  if (isRaw(trigger['timeframe'])) checkTimeframe(trigger['timeframe'], { document, report })
}

function checkSchedule(text: string, { document, report }: About) {
  const offset = text.indexOf(text.trim())
  try {
    parseSchedule(text.trim())
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const { message, start, end } = error
    const path = ['trigger', 'expression']
    report.error(
      'bad-schedule',
      message,
      document.locateWithin(path, start + offset, Math.max(end, start + 1) + offset),
    )
  }
}

/** Requests are told apart by how their route is classified. */
function checkIndexingRoute(definition: Raw, { document, report }: About) {
  const isConcerned = listOf(definition['routes']).some((route) => {
    const classify = isRaw(route) ? route['classify'] : undefined
    return isRaw(classify) && isIndexing(textOf(classify['category']), textOf(classify['acl']))
  })
  if (!isConcerned)
    report.warning(
      'index-trigger',
      'The trigger is never true: no route is classified as indexing documents, such as {category: docs, acl: bulk}',
      document.locate(['trigger', 'type']),
    )
}

/** The synthetic request goes to the first route's path as it is written. */
function checkScheduledRoute(definition: Raw, { document, report }: About) {
  const [first] = listOf(definition['routes'])
  const parameter = /\{[^}]+\}/.exec((isRaw(first) && textOf(first['path'])) || '')?.[0]
  if (parameter)
    report.warning(
      'scheduled-parameter',
      `On its schedule the pipeline has no value for ${parameter}; write a path without parameters`,
      document.locate(['routes', 0, 'path']),
    )
}

function checkTimeframe(timeframe: Raw, { document, report }: About) {
  const [start, end] = ['start_time', 'end_time'].map((key) => {
    const time = timeframe[key]
    if (typeof time !== 'string' && typeof time !== 'number') return undefined
    const epochMs = toEpochMs(time)
    if (Number.isNaN(epochMs))
      report.error(
        'bad-time',
        `${key} must be unix seconds or a time such as 2026-01-31T09:00:00Z`,
        document.locate(['trigger', 'timeframe', key]),
      )
    return epochMs
  })
  if (start !== undefined && end !== undefined && end <= start)
    report.warning(
      'empty-timeframe',
      'The timeframe ends before it begins, so the pipeline never runs',
      document.locate(['trigger', 'timeframe', 'end_time']),
    )
}
