/** What an engine error carries besides its reason. */
export interface FailureDetails {
  readonly status?: number
  readonly line?: number
  readonly col?: number
  /** Further properties of the error object, for example `feature` or `caused_by`. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** A request the engine refuses: becomes `{"error":{"type","reason",…},"status"}` on the wire. */
export class RequestFailure extends Error {
  readonly type: string
  readonly status: number
  readonly line: number | undefined
  readonly col: number | undefined
  readonly extra: Readonly<Record<string, unknown>>

  constructor(type: string, reason: string, details: FailureDetails = {}) {
    super(reason)
    this.name = 'RequestFailure'
    this.type = type
    this.status = details.status ?? 400
    this.line = details.line
    this.col = details.col
    this.extra = details.extra ?? {}
  }
}

/** A feature real engines have and this one does not; `feature` is its id, as `query.percolate`. */
export const unsupported = (what: string, feature: string) =>
  new RequestFailure(
    'unsupported_feature_exception',
    `${what} is not supported by the local engine; connect a cluster to use it`,
    { extra: { feature } },
  )

/** A body the engine cannot read. */
export const parsingFailure = (reason: string) => new RequestFailure('parsing_exception', reason)

/** A value outside of what the engine allows. */
export const illegalArgument = (reason: string) =>
  new RequestFailure('illegal_argument_exception', reason)
