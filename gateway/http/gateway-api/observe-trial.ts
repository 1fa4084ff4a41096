import type { StageChange } from '../../contract/gateway-api/validate.ts'
import type { Context } from '../../contract/context.ts'
import { changesBetween } from '../../logs/context-changes.ts'
import { toLine } from '../../logs/observe-run.ts'
import type { RunObserver } from '../../runtime/observer.ts'
import { type Mask, maskAll } from '../../trace/masking.ts'

/** What was observed of one trial, in the order in which it happened. */
export interface ObservedTrial {
  observer: RunObserver
  /** The context after the last synchronous stage. */
  context(): Context | undefined
  /** What happened so far, to be told once: later on there is only what happens from then on. */
  take(): { stageChanges: StageChange[]; console_logs: string[] }
  /** The same, but it can be asked for again. */
  look(): { stageChanges: StageChange[]; console_logs: string[] }
}

/** Characters of contexts and of console lines that are kept of one trial. */
const MOST_CONTEXT_CHARS = 32 * 1024 * 1024
const MOST_CONSOLE_CHARS = 1024 * 1024

/** Watches a trial. Contexts become texts at once, masked: nothing of a run is held on to. */
export function observeTrial({ verbose, mask }: { verbose: boolean; mask: Mask }): ObservedTrial {
  let seen = { stageChanges: [] as StageChange[], console_logs: [] as string[] }
  let contextChars = 0
  let consoleChars = 0
  const begun = new Map<string, number>()
  const asyncStages = new Set<string>()
  let context: Context | undefined

  const took = (stageId: string, at: number) =>
    Math.max(0, Math.round(at - (begun.get(stageId) ?? at)))

  function addStage(change: Omit<StageChange, 'context'>, before: Context, after: Context) {
    const shown = verbose ? after : differences(before, after)
    const isFull = contextChars > MOST_CONTEXT_CHARS
    const text = isFull ? '{}' : JSON.stringify(maskAll(shown, mask))
    contextChars += text.length
    seen.stageChanges.push({ ...change, context: text, ...(isFull && { contextLeftOut: true }) })
  }

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
      addStage({ id: stageId, took: took(stageId, at) }, before, output)
    },
    stageFailed({ stageId, at, context: before, error }) {
      const failed = { id: stageId, error: mask(error.message), took: took(stageId, at) }
      addStage(failed, before, before)
    },
    log(entry) {
      if (consoleChars > MOST_CONSOLE_CHARS) return
      const line = mask(toLine(entry))
      consoleChars += line.length
      seen.console_logs.push(
        consoleChars > MOST_CONSOLE_CHARS ? '… (more was written, and is left out)' : line,
      )
    },
  }
  return {
    observer,
    context: () => context,
    look: () => seen,
    take() {
      const taken = seen
      seen = { stageChanges: [], console_logs: [] }
      // What goes on is in the background, and a report that is kept must not hold on to a run.
      context = undefined
      return taken
    },
  }
}

/** Changed parts of a context; `removed` names keys that are gone. */
function differences(before: Context, after: Context) {
  const { changes, removed } = changesBetween(before, after)
  return removed.length > 0 ? { ...changes, removed } : changes
}
