import { createHash } from 'node:crypto'
import type { PipelineDefinition } from '../contract/pipeline.ts'
import type { GlobalEnvStore } from '../envs/global-env-store.ts'
import { SEALED } from '../pipeline/seal-env-values.ts'
import type { StateStore } from '../state/state-store.ts'

interface Source {
  file: string
  definition?: PipelineDefinition
}

interface Services {
  globalEnvs: GlobalEnvStore
  state: StateStore
  /** Tells workspaces apart that share a store. */
  scope: string
  onProblem(problem: unknown): void
}

const KIND = 'declared-envs'

/**
 * Takes over the `global_envs` of the workspace's files: each file's when it says something else than
 * the last time, so that neither a restart nor another file undoes what was set since (decisions.md
 * 19). When all are new, later paths win.
 */
export function createDeclaredEnvs({ globalEnvs, state, scope, onProblem }: Services) {
  /** What is being written down; served already. */
  const writing = new Map<string, string>()
  let last: Promise<unknown> = Promise.resolve()
  /** What each file said when it was taken over. */
  const taken = new Map(state.list(KIND).map(({ key, value }) => [key, value]))

  function apply(pipelines: readonly Source[]) {
    for (const { file, definition } of pipelines) {
      if (!definition) continue
      const entries = (definition.global_envs ?? []).filter(({ value }) => hasValue(value))
      const digest = createHash('sha256').update(JSON.stringify(entries)).digest('base64url')
      const key = `${scope}|${file}`
      const known = taken.get(key)
      if (known === digest || (known === undefined && entries.length === 0)) continue
      taken.set(key, digest)
      for (const { key: name, value } of entries) writing.set(name, value)
      last = last
        .then(() => globalEnvs.apply(entries))
        .then(() => {
          state.put(KIND, key, digest)
          for (const { key: name, value } of entries)
            if (writing.get(name) === value) writing.delete(name)
        })
        .catch((problem: unknown) => {
          taken.delete(key)
          onProblem(problem)
        })
    }
  }

  return {
    apply,
    values: () => ({ ...globalEnvs.values(), ...Object.fromEntries(writing) }),
    /** Resolves when everything is written down. */
    settled: () => last,
  }
}

/** Dots stand for a value that is known, and a name without a value for none. */
const hasValue = (value: string) => value !== SEALED && !/\$\{\{.+\}\}/.test(value)
