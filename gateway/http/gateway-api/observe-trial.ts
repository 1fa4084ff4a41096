import type { StageChange } from '../../contract/gateway-api/validate.ts'
import type { Context } from '../../contract/context.ts'
import { changesBetween } from '../../logs/context-changes.ts'
import type { RunObserver } from '../../runtime/observer.ts'
import { type Mask, maskAll } from '../../trace/masking.ts'

/** What was observed of one trial, in the order in which it happened. */
export interface ObservedTrial {
  observer: RunObserver
  /** The context after the last synchronous stage. */
  context(): Context | undefined
  stageChanges: StageChange[]
  consoleLogs: string[]
}

/** Console lines kept of one trial. */
const MOST_LINES = 10_000

/** Watches a trial. Contexts become texts at once, masked: nothing of a run is held on to. */
export function observeTrial({ verbose, mask }: { verbose: boolean; mask: Mask }): ObservedTrial {
  const stageChanges: StageChange[] = []
  const consoleLogs: string[] = []
  const begun = new Map<string, number>()
  const asyncStages = new Set<string>()
  let context: Context | undefined

  const took = (stageId: string, at: number) =>
    Math.max(0, Math.round(at - (begun.get(stageId) ?? at)))
  const toText = (before: Context, after: Context) =>
    JSON.stringify(maskAll(verbose ? after : differences(before, after), mask))

  const observer: RunObserver = {
    runStarted(start) {
      context = start.context
      for (const { id, async } of start.stages) if (async) asyncStages.add(id)
    },
    beforeStage({ stageId, at }) {
      begun.set(stageId, at)
    },
    afterStage({ stageId, at, context: before, output }) {
      if (!asyncStages.has(stageId)) context = output
      stageChanges.push({ id: stageId, context: toText(before, output), took: took(stageId, at) })
    },
    stageFailed({ stageId, at, context: before, error }) {
      stageChanges.push({
        id: stageId,
        error: mask(error.message),
        context: toText(before, before),
        took: took(stageId, at),
      })
    },
    log({ stageId: _stage, values }) {
      if (consoleLogs.length < MOST_LINES)
        consoleLogs.push(mask(values.map(({ text }) => text).join(' ')))
    },
  }
  return { observer, context: () => context, stageChanges, consoleLogs }
}

/** Changed parts of a context; `removed` names keys that are gone. */
function differences(before: Context, after: Context) {
  const { changes, removed } = changesBetween(before, after)
  return removed.length > 0 ? { ...changes, removed } : changes
}
