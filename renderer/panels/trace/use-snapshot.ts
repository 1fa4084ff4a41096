import { useEffect, useState } from 'react'
import type { Span, StageSnapshot } from '../../../gateway/contract/trace.ts'

/** The context around a stage as JSON text, or what became of loading it. */
export type SnapshotState =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | { state: 'loaded'; input: string | null; output: string | null }

/** Loads the context before and after a stage; again when the stage has come further. */
export function useSnapshot(
  span: Span,
  loadSnapshot: (stageId: string) => Promise<StageSnapshot>,
): SnapshotState {
  const key = `${span.runId} ${span.stageId} ${span.status}`
  const [loaded, setLoaded] = useState<{ key: string; state: SnapshotState }>()
  const { stageId } = span
  useEffect(() => {
    let isCurrent = true
    const show = (state: SnapshotState) => {
      if (isCurrent) setLoaded({ key, state })
    }
    loadSnapshot(stageId).then(
      ({ input, output }) =>
        show({ state: 'loaded', input: toText(input), output: toText(output) }),
      (error: unknown) =>
        show({ state: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [key, stageId, loadSnapshot])
  return loaded?.key === key ? loaded.state : { state: 'loading' }
}

const toText = (context: object | undefined) =>
  context === undefined ? null : JSON.stringify(context)
