/**
 * Decides by the `host` header whether a request was meant for this machine. A web page that made
 * its own name resolve to 127.0.0.1 still sends that name (DNS rebinding); decisions.md 25.
 */
export function createHostCheck(configured: readonly string[] = []) {
  const allowed = new Set(['localhost', '127.0.0.1', '[::1]', ...configured.map(lower)])
  /** Host headers repeat: the few that pass are remembered whole. */
  const known = new Set<string>()
  return (header: string | undefined) => {
    if (header === undefined) return false
    if (known.has(header)) return true
    const name = lower(header.replace(/:\d+$/, ''))
    const ok = allowed.has(name) || name.endsWith('.localhost')
    if (ok && known.size < 1_000) known.add(header)
    return ok
  }
}

const lower = (text: string) => text.toLowerCase()
