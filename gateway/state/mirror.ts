import { errors } from '../errors.ts'
import type { SharedState, StateDocument } from './shared-state.ts'

type Listener = Parameters<SharedState['onChange']>[0]
type Change = Parameters<Listener>[0][number]

/** All documents of a state store in memory, and who wants to hear of changes. */
export function createMirror() {
  const kinds = new Map<string, Map<string, StateDocument>>()
  const listeners = new Set<Listener>()

  const of = (kind: string) => {
    const known = kinds.get(kind) ?? new Map<string, StateDocument>()
    kinds.set(kind, known)
    return known
  }

  return {
    get: (kind: string, key: string) => kinds.get(kind)?.get(key),
    list: (kind: string) =>
      [...(kinds.get(kind)?.values() ?? [])].toSorted((a, b) =>
        a.key < b.key ? -1 : Number(a.key > b.key),
      ),
    *entries() {
      for (const [kind, documents] of kinds)
        for (const document of documents.values()) yield { kind, document }
    },
    set: (kind: string, document: StateDocument) => void of(kind).set(document.key, document),
    delete: (kind: string, key: string) => kinds.get(kind)?.delete(key) ?? false,
    /** Tells the listeners; nothing is told when nothing changed. */
    announce(changes: readonly Change[]) {
      if (changes.length > 0) for (const listener of listeners) listener(changes)
    },
    onChange(listener: Listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The conflict every implementation reports, in the words of the user. */
export const conflictOf = (kind: string, key: string) =>
  errors.etagMismatch(
    `${kind} "${key}" was changed by somebody else meanwhile; read it again and repeat the change`,
  )
