import { createStore, useStore } from 'zustand'
import type { RunSummary, Span, Trace } from '../../gateway/contract/trace.ts'

interface RunsState {
  /** Runs by id. */
  runs: Record<string, RunSummary>
  /** Spans by run, in the pipeline's order. */
  spans: Record<string, readonly Span[]>
  selectedRunId: string | null
  selectedStageId: string | null
}

const EMPTY: RunsState = {
  runs: {},
  spans: {},
  selectedRunId: null,
  selectedStageId: null,
}
const MAX_RUNS = 500

/** Runs the gateway has told of, with their spans. */
export const runsStore = createStore<RunsState>(() => EMPTY)

/** Takes over one run; the oldest leave when there are more than 500. */
export const receiveRun = (run: RunSummary) =>
  runsStore.setState(({ runs }) => ({ runs: newest({ ...runs, [run.runId]: run }) }))

/** Takes over the gateway's list of runs. */
export const receiveRuns = (list: readonly RunSummary[]) =>
  runsStore.setState({ runs: newest(Object.fromEntries(list.map((run) => [run.runId, run]))) })

/** Keeps the newest form of a span, in its place in the pipeline. */
export const receiveSpan = (span: Span) =>
  runsStore.setState(({ spans }) => {
    const rest = (spans[span.runId] ?? []).filter(({ stageId }) => stageId !== span.stageId)
    const sorted = [...rest, span].toSorted((a, b) => a.index - b.index)
    return { spans: { ...spans, [span.runId]: sorted } }
  })

/** Takes over the whole record of a run. */
export const receiveTrace = ({ spans, ...run }: Trace) =>
  runsStore.setState((state) => ({
    runs: newest({ ...state.runs, [run.runId]: run }),
    spans: { ...state.spans, [run.runId]: spans },
  }))

/** Chooses the run that graph, outline and commands speak of. */
export const selectRun = (runId: string | null) =>
  runsStore.setState((state) =>
    state.selectedRunId === runId ? state : { selectedRunId: runId, selectedStageId: null },
  )

/** Chooses a stage, of the selected run or of the pipeline in front. */
export const selectStage = (stageId: string | null) =>
  runsStore.setState({ selectedStageId: stageId })

/** Forgets everything, when another workspace is opened. */
export const dropRuns = () => runsStore.setState(EMPTY)

/** Runs, the newest first. */
export const runList = ({ runs }: Pick<RunsState, 'runs'>) =>
  Object.values(runs).toSorted((a, b) => b.startTime - a.startTime)

const NO_SPANS: readonly Span[] = [] // a fresh [] on every call would re-render for ever

/** Spans of one run; empty when none are known. */
export const spansOf = (runId: string | null | undefined) => (state: RunsState) =>
  (runId && state.spans[runId]) || NO_SPANS

/** Re-renders when what `selector` picks from this store changes. */
export const useRuns = <T>(selector: (state: RunsState) => T) => useStore(runsStore, selector)

function newest(runs: Record<string, RunSummary>) {
  const list = Object.values(runs)
  if (list.length <= MAX_RUNS) return runs
  const kept = list.toSorted((a, b) => b.startTime - a.startTime).slice(0, MAX_RUNS)
  return Object.fromEntries(kept.map((run) => [run.runId, run]))
}
