/** What can stop work: an `AbortSignal`, or something lighter of the same shape. */
export interface StopSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * Stops something once, in the shape of an `AbortSignal`. Node’s own costs several microseconds to
 * make, listen to and leave, and a run needs one for each of its stages.
 */
export class Stopper implements StopSignal {
  aborted = false
  reason: unknown
  #listeners: (() => void)[] | undefined

  abort(reason: unknown) {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    const listeners = this.#listeners ?? []
    this.#listeners = undefined
    for (const listener of listeners) listener()
  }

  addEventListener(_type: 'abort', listener: () => void) {
    if (this.#listeners) this.#listeners.push(listener)
    else this.#listeners = [listener]
  }

  removeEventListener(_type: 'abort', listener: () => void) {
    const at = this.#listeners?.indexOf(listener) ?? -1
    if (at >= 0) this.#listeners?.splice(at, 1)
  }
}

/** The same as the `AbortSignal` that libraries ask for. */
export function toAbortSignal(signal: StopSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal
  const controller = new AbortController()
  const stop = () => controller.abort(signal.reason)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop)
  return controller.signal
}
