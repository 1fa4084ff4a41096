/** Why an engine did not start; the code is what the parent process acts on. */
export class StartFailure extends Error {
  readonly code: 'PORT_IN_USE' | 'DATA_DIR_LOCKED' | 'DATA_DIR_UNREADABLE'

  constructor(code: StartFailure['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.name = code
    this.code = code
  }
}
