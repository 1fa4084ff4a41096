/** RFC 9110 7.6.1, and what the proxy writes anew itself. Lower case. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

/** `host` is the engine's own; `expect` was answered by us; the credential was for us. */
const NOT_FORWARDED = new Set([...HOP_BY_HOP, 'host', 'expect', 'authorization'])

/** Name of the header by which the workbench tells us the run id of its own request. */
export const RUN_HEADER = 'x-sluice-run'

/**
 * The client's headers as the engine gets them: name, value, name, value …; order, case and
 * repetitions kept.
 */
export function toEngineHeaders(raw: readonly string[], authorization: string | undefined) {
  const kept: string[] = []
  const listed = connectionTokens(raw)
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase()
    if (NOT_FORWARDED.has(name) || name === RUN_HEADER || listed?.has(name)) continue
    kept.push(raw[i] ?? '', raw[i + 1] ?? '')
  }
  if (authorization) kept.push('authorization', authorization)
  return kept
}

/** The engine's headers as the client gets them. */
export function toClientHeaders(raw: readonly (string | Buffer)[]) {
  const kept: string[] = []
  for (let i = 0; i < raw.length; i += 2) {
    const name = text(raw[i])
    if (HOP_BY_HOP.has(name.toLowerCase())) continue
    kept.push(name, text(raw[i + 1]))
  }
  return kept
}

/** Header bytes are latin1 on the wire: decoding them otherwise would change them. */
const text = (value: string | Buffer | undefined) =>
  typeof value === 'string' ? value : (value?.toString('latin1') ?? '')

/** Names that this very `connection` header makes hop-by-hop; nearly always none. */
function connectionTokens(raw: readonly string[]) {
  let tokens: Set<string> | undefined
  for (let i = 0; i < raw.length; i += 2) {
    if (raw[i]?.length !== 10 || raw[i]?.toLowerCase() !== 'connection') continue
    for (const token of (raw[i + 1] ?? '').toLowerCase().split(',')) {
      const name = token.trim()
      if (name === 'keep-alive' || name === 'close' || name === '') continue
      tokens ??= new Set()
      tokens.add(name)
    }
  }
  return tokens
}
