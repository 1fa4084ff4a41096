import type { GlobalEnv } from '../contract/pipeline.ts'

interface Source {
  file: string
  globalEnvs: readonly GlobalEnv[]
}

/**
 * Variables shared by all pipelines. The pipeline saved last wins a key that several define; when
 * all are read at once, later paths win, so that a restart gives the same values everywhere.
 */
export function createGlobalEnvs() {
  const byKey = new Map<string, { value: string; file: string }>()

  return {
    /** Takes over what the pipelines define; `changed` files are taken last. */
    apply(pipelines: readonly Source[], changed: readonly string[] = []) {
      const files = new Set(pipelines.map(({ file }) => file))
      for (const [key, { file }] of byKey) if (!files.has(file)) byKey.delete(key)
      const isFirst = byKey.size === 0
      for (const { file, globalEnvs } of pipelines)
        for (const { key, value } of globalEnvs)
          if (isFirst || changed.includes(file) || !byKey.has(key)) byKey.set(key, { value, file })
    },
    values: () => Object.fromEntries([...byKey].map(([key, { value }]) => [key, value])),
    /** Values that no trace, log or error may show (decisions.md 32). */
    secrets: () => [...byKey.values()].map(({ value }) => value),
    clear: () => byKey.clear(),
  }
}
