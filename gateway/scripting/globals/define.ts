import type { LibraryName, LoadedLibraries } from '../libraries/names.ts'

/** One stage of one run inside the isolate. Once `over`, nothing it does counts any more. */
export interface RealmStage {
  readonly over: boolean
  /** What all stages of one run have in common. */
  readonly run: object
}

/** What the kernel gives to script globals. */
export interface RealmServices {
  /** Asks the host; settles in a later entry. `text` crosses as it is. */
  call: (stage: RealmStage, kind: string, payload: string, text?: string) => Promise<CallReply>
  log: (stage: RealmStage, level: string, values: readonly unknown[]) => void
  /** Latin-1 text of that many random bytes. */
  randomBytes: (count: number) => string
}

/** All that the code inside the isolate gives to script globals. */
export interface GlobalServices extends RealmServices, LoadedLibraries {
  /** What scripts have stored under a key; waits for the host. */
  readStored: (key: string) => string | null
}

/** The answer of a host call: JSON text, and a text that is no JSON. */
export interface CallReply {
  json: string
  text: string
}

/** A name that scripts see without importing it. */
export interface ScriptGlobal {
  name: string
  /** TypeScript declarations with their docs, for editors. */
  types: string
  /** The library behind it, loaded only where a script uses more of the global than `unless`. */
  library?: { name: LibraryName; unless?: readonly string[] }
  /**
   * Runs inside the isolate, so its text must stand alone: no imports, nothing from outside.
   * A stateless global gives its value; one that belongs to a run gives a maker of values.
   */
  realm:
    | { shared: (services: GlobalServices) => unknown }
    | { perStage: (services: GlobalServices) => (stage: RealmStage) => unknown }
}
