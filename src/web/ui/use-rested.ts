import { useEffect, useState } from 'react'

/** So long after the last key what is typed is held to be meant. */
const REST_MS = 500

/** What is typed, once it rests; meanwhile, what rested before. */
export function useRested<T>(typed: T): T {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), REST_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}
