import { isExactNumber } from './exact-numbers.ts'
import type { SourceDocument } from './read-document.ts'
import type { Report } from './report.ts'

const VARIABLE = /\$\{\{\s*([^{}\s]+)\s*\}\}/g

/**
 * Replaces `${{NAME}}` in every text of a definition but its scripts; names are tried as written
 * and in upper case. What has no value stays and is reported.
 */
export function resolveVariables<T>(
  value: T,
  environment: (name: string) => string | undefined,
  { document, report }: { document: SourceDocument; report: Report },
): T {
  const resolve = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof value === 'string')
      return path.at(-1) === 'script'
        ? value
        : value.replace(VARIABLE, (written, name: string) => {
            const found = environment(name) ?? environment(name.toUpperCase())
            if (found === undefined)
              report.warning(
                'unresolved-variable',
                `${written} has no value: neither the selected environment nor the process has ${name}`,
                document.locate(path),
              )
            return found ?? written
          })
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, [...path, index]))
    if (typeof value !== 'object' || value === null || isExactNumber(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, resolve(item, [...path, key])]),
    )
  }
  // Only texts are replaced, by texts, so the shape is the same.
  return resolve(value, []) as T
}
