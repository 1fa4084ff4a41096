const IDLE_MS = 30_000

/** When an index refreshes. */
export interface RefreshPolicy {
  /** Milliseconds; −1: only when asked. */
  readonly intervalMs: number
  /** Set by the user: then the index refreshes even when nobody searches. */
  readonly isExplicit: boolean
}

/** Decides when `refresh` runs: by time, for whoever waits for it, or at the next search. */
export function createRefreshSchedule(first: RefreshPolicy, refresh: () => void) {
  let policy = first
  let timer: NodeJS.Timeout | undefined
  let lastSearch = Date.now()
  let isStale = false
  let waiting: (() => void)[] = []

  function refreshed() {
    clearTimeout(timer)
    timer = undefined
    isStale = false
    const resolved = waiting
    waiting = []
    for (const resolve of resolved) resolve()
  }

  function onTimer() {
    timer = undefined
    const isIdle = !policy.isExplicit && Date.now() - lastSearch > IDLE_MS
    if (isIdle && waiting.length === 0) isStale = true
    else refresh()
  }

  function schedule() {
    if (timer || policy.intervalMs < 0) return
    timer = setTimeout(onTimer, policy.intervalMs)
    timer.unref()
  }

  return {
    /** Something waits to become searchable. */
    changed: schedule,
    /** Must be called by whoever refreshed. */
    refreshed,
    /** A search is about to look at the index. */
    searching() {
      lastSearch = Date.now()
      if (isStale) refresh()
    },
    /** Resolves after the next refresh; without a timer it refreshes at once, or nobody would. */
    async next() {
      if (policy.intervalMs < 0) return refresh()
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      schedule()
      timer?.ref()
      return promise
    },
    /** From the next change on. */
    setPolicy(next: RefreshPolicy) {
      policy = next
    },
    stop() {
      clearTimeout(timer)
      for (const resolve of waiting) resolve()
    },
  }
}
