import type { Diagnostic } from '../contract/diagnostic.ts'

/** `file:line:column: severity: message [code]`, as editors and build logs understand it. */
export const toLine = ({ source: { file, line, column }, severity, message, code }: Diagnostic) =>
  `${file}:${line}:${column}: ${severity}: ${message} [${code}]`
