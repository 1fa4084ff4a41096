import type { Path, SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'
import { didYouMean } from './nearest.ts'
import { findTypeProblems } from './trigger/check-types.ts'
import { REQUEST_NAMES } from './trigger/request-scope.ts'
import { parseExpression } from './trigger/parse.ts'
import { ExpressionError } from './trigger/tokens.ts'

/** Reports what is wrong with an expression, and the names it reads that do not exist. */
export function checkExpression(
  text: string,
  {
    path,
    names,
    without = [],
    document,
    report,
  }: {
    path: Path
    /** Known besides the facts of the request. */
    names: readonly string[]
    /** Facts of the request that do not exist where the expression is asked. */
    without?: readonly string[]
    document: SourceDocument
    report: Report
  },
) {
  const trimmed = text.trim()
  const offset = text.indexOf(trimmed)
  const place = ({ start, end }: { start: number; end: number }) =>
    document.locateWithin(path, start + offset, Math.max(end, start + 1) + offset)
  const known = [...names, ...REQUEST_NAMES].filter((name) => !without.includes(name))
  try {
    const expression = parseExpression(trimmed)
    for (const { message, ...where } of findTypeProblems(expression))
      report.error('bad-expression', message, place(where))
    for (const [name, where] of expression.names)
      if (!known.includes(name))
        report.error(
          'bad-expression',
          `There is no "${name}" here${didYouMean(name, known) || `; there are ${known.join(', ')}`}`,
          place(where),
        )
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    report.error('bad-expression', error.message, place(error))
  }
}
