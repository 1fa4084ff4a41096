/** A place in a file of the user. Lines and columns are 1-based; columns count UTF-16 units. */
export interface SourcePosition {
  file: string
  line: number
  column: number
}

/** A mistake in a text the user sent, as `contract/diagnostic.ts` describes it. */
interface ErrorDiagnostic {
  severity: 'error' | 'warning' | 'information'
  code: string
  message: string
  source: SourcePosition & { endLine: number; endColumn: number }
}

interface ErrorDetails {
  cause?: unknown
  stageId?: string
  /** Where in the user's own file the failure arose. */
  source?: SourcePosition
  /** The user's own stack frames, innermost first, in positions of the user's files. */
  frames?: readonly string[]
  /** Everything that is wrong with a text that was refused. */
  diagnostics?: readonly ErrorDiagnostic[]
  /** Replaces the usual status of the code. */
  status?: number
  /** Seconds after which the client may try again; sent as `retry-after`. */
  retryAfterSeconds?: number
}

/** Base of every error the gateway raises on purpose. Anything else is a bug. */
export class GatewayError extends Error {
  readonly code: string
  readonly status: number
  readonly stageId?: string
  readonly source?: SourcePosition
  readonly frames?: readonly string[]
  readonly diagnostics?: readonly ErrorDiagnostic[]
  readonly retryAfterSeconds?: number

  constructor(kind: { code: string; status: number }, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.name = kind.code
    this.code = kind.code
    this.status = details.status ?? kind.status
    this.stageId = details.stageId
    this.source = details.source
    this.frames = details.frames
    this.diagnostics = details.diagnostics
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** Declares one error code. Every code in the program is a line in this file. */
const define = (code: string, status: number) =>
  Object.assign(
    (message: string, details?: ErrorDetails) =>
      new GatewayError({ code, status }, message, details),
    { code, status },
  )

/** The catalogue: every error is made by calling one of these with a message for the user. */
export const errors = {
  // requests
  requestInvalid: define('REQUEST_INVALID', 400),
  unauthorized: define('UNAUTHORIZED', 401),
  forbidden: define('FORBIDDEN', 403),
  hostRefused: define('HOST_REFUSED', 403),
  notFound: define('NOT_FOUND', 404),
  methodNotAllowed: define('METHOD_NOT_ALLOWED', 405),
  conflict: define('CONFLICT', 409),
  etagMismatch: define('ETAG_MISMATCH', 412),
  bodyTooLarge: define('BODY_TOO_LARGE', 413),
  mediaTypeUnsupported: define('MEDIA_TYPE_UNSUPPORTED', 415),
  unprocessable: define('UNPROCESSABLE', 422),
  rateLimited: define('RATE_LIMITED', 429),
  overloaded: define('OVERLOADED', 503),
  // pipelines and runs
  pipelineInvalid: define('PIPELINE_INVALID', 400),
  triggerFailed: define('TRIGGER_FAILED', 400),
  inputsInvalid: define('INPUTS_INVALID', 400),
  inputUnknown: define('INPUT_UNKNOWN', 400),
  declarativeInvalid: define('DECLARATIVE_INVALID', 400),
  runTimeout: define('RUN_TIMEOUT', 408),
  runTerminated: define('RUN_TERMINATED', 499),
  stageFailed: define('STAGE_FAILED', 500),
  stageTimeout: define('STAGE_TIMEOUT', 504),
  traceNotFound: define('TRACE_NOT_FOUND', 404),
  // scripts
  scriptSyntax: define('SCRIPT_SYNTAX', 400),
  scriptThrew: define('SCRIPT_THREW', 500),
  scriptTimeout: define('SCRIPT_TIMEOUT', 504),
  scriptMemory: define('SCRIPT_MEMORY', 500),
  scriptResultInvalid: define('SCRIPT_RESULT_INVALID', 500),
  scriptInterrupted: define('SCRIPT_INTERRUPTED', 503),
  callLimit: define('CALL_LIMIT', 500),
  // outgoing calls and the engine
  addressRefused: define('ADDRESS_REFUSED', 403),
  callFailed: define('CALL_FAILED', 502),
  callTimeout: define('CALL_TIMEOUT', 504),
  engineUnreachable: define('ENGINE_UNREACHABLE', 502),
  engineProtocol: define('ENGINE_PROTOCOL', 502),
  engineStarting: define('ENGINE_STARTING', 503),
  engineTimeout: define('ENGINE_TIMEOUT', 504),
  // workspace and process
  workspaceUnreadable: define('WORKSPACE_UNREADABLE', 400),
  workspaceUnwritable: define('WORKSPACE_UNWRITABLE', 500),
  fileChanged: define('FILE_CHANGED', 412),
  stateUnavailable: define('STATE_UNAVAILABLE', 503),
  portInUse: define('PORT_IN_USE', 500),
  dataDirLocked: define('DATA_DIR_LOCKED', 500),
  flagInvalid: define('FLAG_INVALID', 400),
  internal: define('INTERNAL', 500),
}
