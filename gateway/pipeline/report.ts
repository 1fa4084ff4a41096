import type { Diagnostic, Fix, SourceRange } from '../contract/diagnostic.ts'

type Tell = (code: string, message: string, source: SourceRange, fix?: Fix) => void

/** Collects diagnostics. Every kind of problem has a stable code. */
export interface Report {
  error: Tell
  warning: Tell
  information: Tell
}

/** A report that appends to a list. */
export function createReport(diagnostics: Diagnostic[]): Report {
  const add =
    (severity: Diagnostic['severity']): Tell =>
    (code, message, source, fix) =>
      void diagnostics.push({ severity, code, message, source, ...(fix && { fix }) })
  return { error: add('error'), warning: add('warning'), information: add('information') }
}
