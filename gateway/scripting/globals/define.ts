/** One stage of one run inside the isolate. Once `over`, nothing it does counts any more. */
export interface RealmStage {
  readonly over: boolean
}

/** What the code inside the isolate gives to script globals. */
export interface RealmServices {
  /** Asks the host; settles in a later entry. `text` crosses as it is. */
  call: (stage: RealmStage, kind: string, payload: string, text?: string) => Promise<CallReply>
  log: (stage: RealmStage, level: string, values: readonly unknown[]) => void
  /** Latin-1 text of that many random bytes. */
  randomBytes: (count: number) => string
}

/** The answer of a host call: JSON text, and a text that is no JSON. */
export interface CallReply {
  json: string
  text: string
}

/** A name that scripts see without importing it. */
export interface ScriptGlobal {
  name: string
  /**
   * Runs inside the isolate, so its text must stand alone: no imports, nothing from outside.
   * A stateless global gives its value; one that belongs to a run gives a maker of values.
   */
  realm:
    | { shared: (services: RealmServices) => unknown }
    | { perStage: (services: RealmServices) => (stage: RealmStage) => unknown }
}
