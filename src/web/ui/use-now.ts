import { useEffect, useState } from 'react'

/** The time, again each quarter of a second while something is under way. */
export function useNow(isLive: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isLive) return
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [isLive])
  return now
}
