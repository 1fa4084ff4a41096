import type { GatewayError } from '../errors.ts'
import { clock, type EntryRun } from './entry-run.ts'
import { abortReason, timeoutError } from './run-failures.ts'

const BLOCKED_RETRY_MS = 10

/** Milliseconds of its time limit that a run has left. */
export const remainingMs = ({ startedAt, entry }: EntryRun) =>
  startedAt + entry.limits.timeoutMs - clock()

/**
 * Ends a run that waits for answers when its time is up or its signal aborts. While another run
 * holds the isolate (`isBlocked`) the limit waits. @returns how to stop watching.
 */
export function watchRun(
  run: EntryRun,
  { isBlocked, onStop }: { isBlocked: () => boolean; onStop: (error: GatewayError) => void },
): () => void {
  const { signal } = run.entry
  const onAbort = () => onStop(abortReason(run))
  const check = () => {
    if (isBlocked()) timer = setTimeout(check, BLOCKED_RETRY_MS)
    else if (remainingMs(run) > 1) timer = setTimeout(check, remainingMs(run))
    else onStop(timeoutError(run))
  }
  let timer = setTimeout(check, Math.max(0, remainingMs(run)))
  signal.addEventListener('abort', onAbort)
  const stop = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
  run.onEnd(stop)
  return stop
}
