import type { GlobalEnvStore } from './global-env-store.ts'

/** The global envs of whatever is open at the moment of each call. */
export const createCurrentGlobalEnvs = (
  current: () => GlobalEnvStore,
  onChange: GlobalEnvStore['onChange'],
): GlobalEnvStore => ({
  list: () => current().list(),
  get: (key) => current().get(key),
  values: () => current().values(),
  create: (entry) => current().create(entry),
  update: (key, entry, condition) => current().update(key, entry, condition),
  apply: (entries) => current().apply(entries),
  remove: (key, condition) => current().remove(key, condition),
  onChange,
})
