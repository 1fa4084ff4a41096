/** Libraries that scripts find as globals; loaded only where a script names one of theirs. */
export type LibraryName = 'lodash' | 'compromise' | 'crypto-js'

/** The libraries of a realm by name; those that nobody asked for are missing. */
export type Libraries = Partial<Record<LibraryName, object>>

/** What the snapshot leaves for the realm on the global object, until the realm takes it away. */
export interface LoadedLibraries {
  libraries: Libraries
  /** Where the libraries take their random values from; the realm sets `fill`. */
  entropy: { fill?: (array: ArrayBufferView) => ArrayBufferView }
}
