import { createMask } from '../trace/masking.ts'

type Level = 'info' | 'warn' | 'error'

/** Values that never reach a log line, whatever field they turn up in. */
let secrets: () => Iterable<string> = () => []

/** Sets where `mask` finds the values it hides; the secret store, once it is open. */
export const maskSecretsOf = (known: () => Iterable<string>) => {
  secrets = known
}

/** Hides every secret known at this moment; for many texts at once. */
export const maskOfNow = () => createMask(secrets())

/** Replaces every secret known at this moment by dots. */
export const mask = (text: string) => maskOfNow()(text)

const write =
  (level: Level) =>
  (event: string, fields: Record<string, unknown> = {}) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })
    process.stderr.write(`${mask(line)}\n`)
  }

/** The gateway's log: one JSON object a line on stderr. */
export const log = { info: write('info'), warn: write('warn'), error: write('error') }
