import { useEffect, useState } from 'react'

/** Matches of a query and the one the user stands at. */
export interface Find<Match> {
  query: string
  setQuery: (query: string) => void
  matches: readonly Match[]
  /** Index into `matches`; -1 while there are none. */
  at: number
  /** Goes to the next (1) or previous (-1) match, round the end. */
  move: (step: 1 | -1) => void
}

const NOTHING: readonly never[] = []

/** Runs `search` while the user types, and keeps the place among what it found. */
export function useFind<Match>(
  search: (query: string, signal: AbortSignal) => Promise<readonly Match[]>,
): Find<Match> {
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<{ matches: readonly Match[]; at: number }>({
    matches: NOTHING,
    at: -1,
  })
  useEffect(() => {
    const controller = new AbortController()
    const show = (matches: readonly Match[]) =>
      setFound({ matches, at: matches.length > 0 ? 0 : -1 })
    // A pause lets a fast typist finish the word.
    const timer = setTimeout(() => {
      search(query, controller.signal).then(show, (error: unknown) => {
        if (!controller.signal.aborted) throw error
      })
    }, 80)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [query, search])
  return {
    query,
    setQuery,
    ...found,
    move: (step) =>
      setFound(({ matches, at }) => ({
        matches,
        at: matches.length === 0 ? -1 : (at + step + matches.length) % matches.length,
      })),
  }
}
