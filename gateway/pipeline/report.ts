import type { Diagnostic, SourceRange } from '../contract/diagnostic.ts'

/** Collects diagnostics. Every kind of problem has a stable code. */
export interface Report {
  error(code: string, message: string, source: SourceRange): void
  warning(code: string, message: string, source: SourceRange): void
  information(code: string, message: string, source: SourceRange): void
}

/** A report that appends to a list. */
export function createReport(diagnostics: Diagnostic[]): Report {
  const add =
    (severity: Diagnostic['severity']) => (code: string, message: string, source: SourceRange) =>
      void diagnostics.push({ severity, code, message, source })
  return { error: add('error'), warning: add('warning'), information: add('information') }
}
