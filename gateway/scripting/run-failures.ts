import { errors, GatewayError } from '../errors.ts'
import type { EntryRun } from './entry-run.ts'
import { readStack } from './positions.ts'

/** `stack` is where the isolate was when its time was up. */
export function timeoutError({ entry, group }: EntryRun, stack?: string): GatewayError {
  const { frames, source } = readStack(
    stack,
    group.scripts.map(({ source }) => source),
  )
  const { timeoutMs, timeoutName } = entry.limits
  return errors.scriptTimeout(`The script took longer than ${timeoutMs} ms, ${timeoutName}`, {
    source,
    frames,
  })
}

/** The heap limit of the isolate was reached while this run was the only one in it. */
export const memoryError = (memoryMb: number) =>
  errors.scriptMemory(
    `The script needed more than ${memoryMb} MB of memory, the limit of its isolate (limits.scriptMemoryMb)`,
  )

/** Another run took the isolate down, and this one must not be entered twice. */
export const interruptedError = () =>
  errors.scriptInterrupted(
    'The script was stopped together with another run of its pipeline. It had already sent a request, so it was not started again: send the request once more',
  )

/** The reason of the entry's signal, in the form all failures have. */
export function abortReason({ entry }: EntryRun): GatewayError {
  const reason: unknown = entry.signal.reason
  return reason instanceof GatewayError
    ? reason
    : errors.runTerminated('The run was stopped', { cause: reason })
}
