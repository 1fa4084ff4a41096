import type { PipelineLibrary } from './library.ts'

/** The library of whatever is open at the moment of each call. */
export const createCurrentLibrary = (
  current: () => PipelineLibrary,
  onChange: PipelineLibrary['onChange'],
): PipelineLibrary => ({
  list: () => current().list(),
  get: (id) => current().get(id),
  versions: (id) => current().versions(id),
  version: (id, version) => current().version(id, version),
  check: (draft, id) => current().check(draft, id),
  create: (draft) => current().create(draft),
  update: (id, draft, condition) => current().update(id, draft, condition),
  remove: (id, condition) => current().remove(id, condition),
  addVersion: (id, draft, more) => current().addVersion(id, draft, more),
  updateVersion: (id, version, draft, condition) =>
    current().updateVersion(id, version, draft, condition),
  makeLive: (id, version) => current().makeLive(id, version),
  onChange,
})
