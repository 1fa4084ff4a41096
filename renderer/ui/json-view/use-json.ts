import { useEffect, useMemo, useState } from 'react'
import { indexInSlices } from './index-in-slices.ts'
import { indexJson, isQuickToIndex, type JsonProblem } from './json-index.ts'
import { createJsonTree, type JsonTree } from './json-tree.ts'

/** What is known of a text so far. */
export type JsonState =
  | { state: 'reading'; progress: number }
  | { state: 'tree'; tree: JsonTree }
  | { state: 'invalid'; problem: JsonProblem }

/** Reads a text as JSON: short ones at once, long ones in slices with progress. */
export function useJson(text: string, isWanted: boolean): JsonState | null {
  const atOnce = useMemo(
    () => (isWanted && isQuickToIndex(text) ? toState(indexJson(text)) : null),
    [text, isWanted],
  )
  const [later, setLater] = useState<{ text: string; state: JsonState } | null>(null)
  useEffect(() => {
    if (!isWanted || isQuickToIndex(text)) return undefined
    const controller = new AbortController()
    const show = (state: JsonState) => setLater({ text, state })
    indexInSlices(text, {
      signal: controller.signal,
      onProgress: (progress) => show({ state: 'reading', progress }),
    }).then(
      (result) => show(toState(result)),
      (error: unknown) => {
        if (!controller.signal.aborted) throw error
      },
    )
    return () => controller.abort()
  }, [text, isWanted])
  if (!isWanted) return null
  // What was read of another text says nothing about this one.
  return atOnce ?? (later?.text === text ? later.state : { state: 'reading', progress: 0 })
}

const toState = (result: ReturnType<typeof indexJson>): JsonState =>
  'problem' in result
    ? { state: 'invalid', problem: result.problem }
    : { state: 'tree', tree: createJsonTree(result.index) }
