import { parseArgs, type ParseArgsConfig } from 'node:util'
import { errors } from './errors.ts'
import { type Dialect, DIALECTS } from './pipeline/dialect.ts'

/** What `sluice export` may be told. */
export interface ExportConfig {
  file: string
  dialect: Dialect
  oneClick: boolean
}

/** What `sluice import` may be told. */
export interface ImportConfig {
  /** `-` reads standard input. */
  file: string
  workspaceDir: string
  force: boolean
}

/** How the two commands are called, for the help. */
export const EXCHANGE_USAGE = `sluice export FILE [--dialect sluice|reference] [--one-click]
    Prints a pipeline: with the names of the other product, or as one JSON with its scripts inside.
    Values of global_envs come out as dots.

  sluice import FILE|- --workspace DIR [--force]
    Writes a pipeline and its scripts into a workspace. Files that are there and differ are left
    alone without --force. Exit code 1 when the pipeline has errors.`

/** @throws {GatewayError} FLAG_INVALID; the message is one line for people. */
export function parseExportFlags(argv: readonly string[]): ExportConfig {
  const { values, file } = read('export', argv, {
    dialect: { type: 'string' },
    'one-click': { type: 'boolean' },
  })
  const wanted = values['dialect'] ?? 'sluice'
  const dialect = DIALECTS.find((one) => one === wanted)
  if (!dialect)
    throw errors.flagInvalid(`--dialect takes ${DIALECTS.join(' or ')}, not "${String(wanted)}"`)
  return { file, dialect, oneClick: values['one-click'] === true }
}

/** @throws {GatewayError} FLAG_INVALID; the message is one line for people. */
export function parseImportFlags(argv: readonly string[]): ImportConfig {
  const { values, file } = read('import', argv, {
    workspace: { type: 'string' },
    force: { type: 'boolean' },
  })
  const { workspace } = values
  if (typeof workspace !== 'string' || workspace === '')
    throw errors.flagInvalid('sluice import needs --workspace DIR, the folder to write to')
  return { file, workspaceDir: workspace, force: values['force'] === true }
}

function read(
  command: string,
  argv: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
) {
  const parsed = parseSafely(command, argv, options)
  const [file, ...others] = parsed.positionals
  if (file === undefined || others.length > 0)
    throw errors.flagInvalid(
      `sluice ${command} takes one file, not ${others.length === 0 ? 'none' : String(others.length + 1)}`,
    )
  return { values: parsed.values, file }
}

function parseSafely(
  command: string,
  argv: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals: true })
  } catch (cause) {
    const why = cause instanceof Error ? (cause.message.split('. ')[0] ?? '') : String(cause)
    throw errors.flagInvalid(`${why}; "sluice help" shows what ${command} takes`, { cause })
  }
}
