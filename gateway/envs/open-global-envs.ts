import { randomUUID } from 'node:crypto'
import type { GlobalEnv } from '../contract/pipeline.ts'
import { errors, GatewayError } from '../errors.ts'
import type { SharedState, StateDocument } from '../state/shared-state.ts'
import type { GlobalEnvStore, StoredGlobalEnv } from './global-env-store.ts'
import type { SecretStore } from './secret-store.ts'

const KIND = 'global-env'

/** As it is kept: no value, but what opens to it. */
interface SealedEnv extends Omit<GlobalEnv, 'value'> {
  id: string
  sealed: string
  created_at: number
  updated_at: number
}

/**
 * Global envs in the state store. Values are opened once, when they are read first. `scope` tells
 * workspaces apart that share a store; empty for those of the gateway itself.
 */
export function openGlobalEnvs(
  state: SharedState,
  secrets: Pick<SecretStore, 'seal' | 'unseal'>,
  scope = '',
): GlobalEnvStore {
  const kind = scope === '' ? KIND : `${KIND}@${scope}`
  const opened = new WeakMap<StateDocument, StoredGlobalEnv>()

  function open(document: StateDocument): StoredGlobalEnv {
    const known = opened.get(document)
    if (known) return known
    // Safe: only this file writes the kind.
    const { sealed, ...entry } = document.value as SealedEnv
    const { id, created_at, updated_at } = entry
    const env: StoredGlobalEnv = {
      ...entry,
      id,
      key: document.key,
      value: secrets.unseal(nameOf(document.key), sealed),
      created_at,
      updated_at,
      etag: document.etag,
    }
    opened.set(document, env)
    return env
  }

  const get = (key: string) => {
    const document = state.get(kind, key)
    return document && open(document)
  }

  async function write(
    { value, ...entry }: GlobalEnv,
    former: StoredGlobalEnv | undefined,
    condition: { ifVersion?: string | null },
  ) {
    const now = Math.floor(Date.now() / 1000)
    const kept: SealedEnv = {
      ...entry,
      id: former?.id ?? entry.id ?? randomUUID(),
      sealed: secrets.seal(nameOf(entry.key), value),
      created_at: former?.created_at ?? now,
      updated_at: now,
    }
    return open(await state.put(kind, entry.key, kept, condition))
  }

  const require = (key: string) => {
    const found = get(key)
    if (found) return found
    throw errors.notFound(`There is no environment "${key}"; GET /_pipelines/envs lists them`)
  }
  const conditionOf = (ifMatch: string | undefined) =>
    ifMatch === undefined ? {} : { ifVersion: ifMatch }

  return {
    list: () => state.list(kind).map(open),
    get,
    values: () =>
      Object.fromEntries(
        state
          .list(kind)
          .map(open)
          .map(({ key, value }) => [key, value]),
      ),
    async create(entry) {
      const taken = () =>
        errors.conflict(`Environment "${entry.key}" exists; update it or choose another key`)
      if (get(entry.key)) throw taken()
      try {
        return await write(entry, undefined, { ifVersion: null })
      } catch (problem) {
        throw problem instanceof GatewayError && problem.code === errors.etagMismatch.code
          ? taken()
          : problem
      }
    },
    async update(key, entry, { ifMatch } = {}) {
      if (entry.key !== key)
        throw errors.unprocessable(
          `The body names environment "${entry.key}", the address "${key}"; make them the same`,
        )
      return write(entry, require(key), conditionOf(ifMatch))
    },
    async apply(entries) {
      const changed: string[] = []
      for (const entry of entries) {
        const former = get(entry.key)
        if (former && isSame(former, entry)) continue
        if (former?.value !== entry.value) changed.push(entry.key)
        await write(entry, former, {})
      }
      return changed
    },
    async remove(key, { ifMatch } = {}) {
      require(key)
      if (!(await state.remove(kind, key, conditionOf(ifMatch)))) require(key)
    },
    onChange: (listener) =>
      state.onChange((changes) => {
        if (changes.some((change) => change.kind === kind)) listener()
      }),
  }
}

/** What a value is sealed under: one moved to another key does not open. */
const nameOf = (key: string) => `${KIND}:${key}`

const isSame = (former: StoredGlobalEnv, { label, value, description, validate }: GlobalEnv) =>
  former.value === value &&
  former.label === label &&
  former.description === description &&
  JSON.stringify(former.validate) === JSON.stringify(validate)
