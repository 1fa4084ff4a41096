import { useEffect, useState } from 'react'

const TICK_MS = 100

/** Milliseconds since `startTime`, ten times a second; 0 while it is undefined. */
export function useElapsed(startTime: number | undefined) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (startTime === undefined) return undefined
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [startTime])
  return startTime === undefined ? 0 : Math.max(0, now - startTime)
}
