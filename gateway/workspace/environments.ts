import type { Diagnostic } from '../contract/diagnostic.ts'
import type { EnvironmentFile } from '../contract/manifest.ts'
import { errors, GatewayError } from '../errors.ts'
import { type EnvValue, listEnvironments, readEnvironment } from './manifest.ts'

/** The value of a secret variable of an environment, if it was set on this machine. */
export type SecretOf = (environment: string, key: string) => string | undefined

/** A secret variable that an environment's file names. */
interface DeclaredSecret {
  environment: string
  key: string
  isSet: boolean
}

/** The environments of an open workspace, one of them selected or none. Files are read anew each time. */
export function createEnvironments(root: string, first: string | undefined, secretOf: SecretOf) {
  let selected = first
  /** A file with a mistake in it keeps its last good form: requests go on. */
  const lastGood = new Map<string, EnvironmentFile>()

  function read(name: string): { file: EnvironmentFile; problem?: Diagnostic } {
    try {
      const file = readEnvironment(root, name)
      lastGood.set(name, file)
      return { file }
    } catch (cause) {
      if (!(cause instanceof GatewayError)) throw cause
      return { file: lastGood.get(name) ?? {}, problem: toDiagnostic(cause) }
    }
  }

  return {
    names: () => listEnvironments(root),
    selected: () => selected,
    /** @throws {GatewayError} NOT_FOUND */
    select(name: string | null) {
      if (name !== null && !listEnvironments(root).includes(name))
        throw errors.notFound(`There is no environment "${name}" in envs/`)
      selected = name ?? undefined
    },
    /** Values of the selected environment; secrets that were not set are left out. */
    values(): Record<string, EnvValue> {
      const values: Record<string, EnvValue> = {}
      if (selected === undefined) return values
      for (const [key, written] of Object.entries(read(selected).file)) {
        const value = typeof written === 'object' ? secretOf(selected, key) : written
        if (value !== undefined) values[key] = value
      }
      return values
    },
    /** Every secret that any environment names, in order. */
    secrets: (): DeclaredSecret[] =>
      listEnvironments(root).flatMap((environment) =>
        Object.entries(read(environment).file)
          .filter(([, written]) => typeof written === 'object')
          .map(([key]) => ({ environment, key, isSet: secretOf(environment, key) !== undefined })),
      ),
    /** Mistakes in files of environments, whether or not they are selected. */
    problems: (): Diagnostic[] =>
      listEnvironments(root).flatMap((name) => read(name).problem ?? []),
  }
}

/** What reading a file failed with, as a diagnostic of that file. */
export function toDiagnostic({ message, source }: GatewayError): Diagnostic {
  const { file = '', line = 1, column = 1 } = source ?? {}
  const place = `${file}:${line}:${column}: `
  return {
    severity: 'error',
    code: 'unreadable',
    message: message.startsWith(place) ? message.slice(place.length) : message,
    source: { file, line, column, endLine: line, endColumn: column + 1 },
  }
}
