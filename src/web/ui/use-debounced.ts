import { useEffect, useState } from 'react'

/** Milliseconds after the last key until typing counts as paused. */
const DEBOUNCE_MS = 600

/** Returns the typed text once typing pauses; until then the previous one. */
export function useDebounced<T>(typed: T): T {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}
