/** Texts that all scripts of a gateway share, behind their `KV`. */
export interface ScriptStore {
  /** Null when there is nothing, or nothing any more. */
  get(key: string): string | null
  put(key: string, value: string): void
}

/** Keeps texts in memory: the oldest go when there are too many, each goes after its time. */
export function createScriptStore({
  maxAgeMs = 300_000,
  maxChars = 32_000_000,
}: { maxAgeMs?: number; maxChars?: number } = {}): ScriptStore {
  /** Least recently put first. */
  const entries = new Map<string, { value: string; until: number }>()
  let chars = 0

  function drop(key: string) {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    chars -= key.length + entry.value.length
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return null
      if (performance.now() <= entry.until) return entry.value
      drop(key)
      return null
    },
    put(key, value) {
      drop(key)
      entries.set(key, { value, until: performance.now() + maxAgeMs })
      chars += key.length + value.length
      for (const [oldest, { until }] of entries) {
        if (chars <= maxChars && until >= performance.now()) break
        drop(oldest)
      }
    },
  }
}

/** The one of this process: a gateway is a process of its own, and all its scripts share it. */
export const scriptStore: ScriptStore = createScriptStore()
