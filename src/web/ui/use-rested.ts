import { useEffect, useState } from 'react'

/** Milliseconds after the last key until typing counts as paused. */
const REST_MS = 500

/** Returns the typed text once typing pauses; until then the previous one. */
export function useRested<T>(typed: T): T {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), REST_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}
