import { checkExpression } from './check-expression.ts'
import { toEpochMs } from './compile-trigger.ts'
import { isRaw, type Raw, textOf } from './raw.ts'
import type { SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'

/** Types that mean nothing without an expression. */
const NEEDS_EXPRESSION: Record<string, string> = {
  query: 'a condition on $query',
  filter: 'a condition on $filter',
  cron: 'a schedule such as "0 3 * * *"',
}

/** Checks a pipeline's trigger beyond its shape. */
export function checkTrigger(
  trigger: unknown,
  { document, report }: { document: SourceDocument; report: Report },
) {
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
      document,
      report,
    })
  if (isRaw(trigger['timeframe'])) checkTimeframe(trigger['timeframe'], { document, report })
}

function checkTimeframe(
  timeframe: Raw,
  { document, report }: { document: SourceDocument; report: Report },
) {
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
