type Level = 'info' | 'warn' | 'error'

/** Values that never reach a log line, whatever field they turn up in. */
let secrets: () => Iterable<string> = () => []

/** Sets where `mask` finds the values it hides; the secret store, once it is open. */
export const maskSecretsOf = (known: () => Iterable<string>) => {
  secrets = known
}

/** A secret as it may stand in a text: as it is, inside JSON, inside an address. */
const formsOf = (value: string) =>
  new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])

/** Replaces every known secret of four characters or more by dots; decisions.md 32. */
export function mask(text: string) {
  let masked = text
  for (const value of secrets()) {
    if (value.length < 4) continue
    for (const form of formsOf(value))
      if (masked.includes(form)) masked = masked.replaceAll(form, '••••')
  }
  return masked
}

const write =
  (level: Level) =>
  (event: string, fields: Record<string, unknown> = {}) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })
    process.stderr.write(`${mask(line)}\n`)
  }

/** The gateway's log: one JSON object a line on stderr. */
export const log = { info: write('info'), warn: write('warn'), error: write('error') }
