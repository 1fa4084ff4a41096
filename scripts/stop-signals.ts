const SAME_KEY_MS = 1_000
const PARENT_CHECK_MS = 500

/**
 * Calls `stop` on Ctrl+C or SIGTERM, and again when the user insists. A terminal and npm both send
 * the signal of one key press, so that a second one right after the first counts for nothing.
 */
export function onStopSignal(stop: () => void) {
  let last = -Infinity
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      const now = performance.now()
      if (now - last < SAME_KEY_MS) return
      last = now
      stop()
    })
}

/**
 * Calls `stop` when the process that started this one is gone: npm gives SIGTERM to its shell only,
 * whose end is all that arrives here.
 */
export function onParentGone(stop: () => void) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const check = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(check)
    stop()
  }, PARENT_CHECK_MS)
  check.unref()
}
