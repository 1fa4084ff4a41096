const SAME_KEY_MS = 1_000

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
