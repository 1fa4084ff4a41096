import { useEffect, useState } from 'react'

const STEP_MS = 50

/** The time of day in epoch milliseconds, moving while `isLive`; slower where motion is unwanted. */
export function useNow(isLive: boolean) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isLive) return undefined
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const timer = setInterval(() => setNow(Date.now()), isCalm ? STEP_MS * 10 : STEP_MS)
    return () => clearInterval(timer)
  }, [isLive])
  return now
}
