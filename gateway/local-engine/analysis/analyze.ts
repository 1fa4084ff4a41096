/** One token in the shape of the `_analyze` answer. */
export interface AnalyzedToken {
  readonly token: string
  readonly start_offset: number
  readonly end_offset: number
  readonly type: string
  readonly position: number
}

/**
 * The tokens `_analyze` shows; several values are 100 positions apart.
 * @throws {RequestFailure} for an analyzer it does not have.
 */
export function analyzeText(name: string, text: string | readonly string[]): AnalyzedToken[] {
  throw new Error(`in work: ${name} ${text.length}`)
}
