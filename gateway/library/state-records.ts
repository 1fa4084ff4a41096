import { errors, GatewayError } from '../errors.ts'
import type { SharedState } from '../state/shared-state.ts'
import type { PipelineRecord, RecordStore } from './record.ts'

const KIND = 'pipeline'
/** A write that lost a race is judged anew against what won; one pipeline is not that contended. */
const MAX_TRIES = 8

/** Records in the state store: what a gateway serves that has no workspace. */
export const openStateRecords = (state: SharedState): RecordStore => ({
  get: (id) => asRecord(state.get(KIND, id)?.value),
  list: () =>
    state.list(KIND).flatMap(({ key, value }) => {
      const record = asRecord(value)
      return record ? { id: key, record } : []
    }),
  async change(id, edit) {
    for (let tries = 1; ; tries++) {
      const found = state.get(KIND, id)
      const next = edit(asRecord(found?.value))
      try {
        if (next) await state.put(KIND, id, next, { ifVersion: found?.etag ?? null })
        else if (found) await state.remove(KIND, id, { ifVersion: found.etag })
        return
      } catch (problem) {
        const isLostRace =
          problem instanceof GatewayError && problem.code === errors.etagMismatch.code
        if (!isLostRace || tries === MAX_TRIES) throw problem
      }
    }
  },
  onChange: (listener) =>
    state.onChange((changes) => {
      if (changes.some(({ kind }) => kind === KIND)) listener()
    }),
})

// Safe: only this file writes the kind.
const asRecord = (value: unknown) => value as PipelineRecord | undefined
