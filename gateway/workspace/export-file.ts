import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Diagnostic } from '../contract/diagnostic.ts'
import { errors } from '../errors.ts'
import type { Dialect } from '../pipeline/dialect.ts'
import { toDialect } from '../pipeline/exchange/to-dialect.ts'
import { toOneClick } from '../pipeline/exchange/to-one-click.ts'
import { sealEnvValues } from '../pipeline/seal-env-values.ts'
import { readGivenFile } from './read-given-file.ts'
import { scanFiles } from './scan.ts'
import { findScript } from './script-lookup.ts'

/**
 * A pipeline file as it goes to others: without the values of its global envs. There is no text when
 * something stands in the way; the diagnostics say what.
 * @throws {GatewayError} NOT_FOUND when the file cannot be read, REQUEST_INVALID when it is no text.
 */
export function exportFile(
  file: string,
  { dialect, oneClick }: { dialect: Dialect; oneClick: boolean },
): { text?: string; diagnostics: Diagnostic[] } {
  const full = resolve(file)
  const root = workspaceOf(full)
  const path = relative(root, full).split(sep).join('/')
  const named = toDialect({ path, text: readGivenFile(file) }, dialect)
  const hasErrors = ({ diagnostics }: { diagnostics: readonly Diagnostic[] }) =>
    diagnostics.some(({ severity }) => severity === 'error')
  if (hasErrors(named)) return { diagnostics: named.diagnostics }
  const scripts = {
    paths: scanFiles(root).flatMap(({ path, kind }) => (kind === 'script' ? path : [])),
    read: (script: string) => readFileSync(join(root, script), 'utf8'),
  }
  const made = oneClick
    ? toOneClick({ path, text: named.text }, (ref) => findScript(path, ref, scripts))
    : named
  const diagnostics = oneClick ? [...named.diagnostics, ...made.diagnostics] : named.diagnostics
  if (hasErrors(made)) return { diagnostics }
  const { text, unsealable } = sealEnvValues(made.text)
  const [open] = unsealable
  if (open !== undefined)
    throw errors.pipelineInvalid(
      `The value of "${open}" comes from an anchor and would be exported; write it into global_envs`,
    )
  return { text, diagnostics }
}

/** The nearest folder above with a manifest; else the file's own. */
function workspaceOf(full: string): string {
  for (let dir = dirname(full); ; dir = dirname(dir)) {
    if (existsSync(join(dir, 'sluice.yaml'))) return dir
    if (dir === dirname(dir)) return dirname(full)
  }
}
