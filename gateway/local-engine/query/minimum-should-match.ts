import { failedToCreate } from './values.ts'

/**
 * How many of the optional clauses have to match: `3`, `-2`, `75%`, `-25%`, `2<-25% 9<-3`. Never
 * below 0; above the number of clauses nothing matches.
 * @throws {EngineFailure} when it is none of these.
 */
export function minimumShouldMatch(optional: number, specification: string): number {
  const spec = specification.trim()
  if (!spec.includes('<')) return Math.max(0, simple(optional, spec))
  let result = optional
  for (const condition of spec.replaceAll(/\s*<\s*/g, '<').split(/\s+/)) {
    const [limit = '', then = ''] = condition.split('<')
    if (optional <= integer(limit)) return result
    result = Math.max(0, simple(optional, then))
  }
  return result
}

function simple(optional: number, spec: string): number {
  if (!spec.endsWith('%')) {
    const count = integer(spec)
    return count < 0 ? optional + count : count
  }
  const percent = integer(spec.slice(0, -1))
  const part = Math.fround(Math.fround(optional * percent) * Math.fround(1 / 100))
  return part < 0 ? optional + Math.trunc(part) : Math.trunc(part)
}

function integer(text: string): number {
  if (!/^[+-]?\d+$/.test(text))
    throw failedToCreate(`For input string: "${text}"`, 'number_format_exception')
  return Number(text)
}
