import { useCallback, useRef, useState } from 'react'
import { useSession } from '../../app/session.ts'

/**
 * What is put into a place and not sent: in this window it outlives a reload, and a session that ends meanwhile, for the same
 * person. It is written down when it is set, since what comes of a request may come when nothing is shown any more.
 */
export function useKept<T>(what: string, place: string, none: T): readonly [T, (to: (now: T) => T) => void] {
  const key = `tutti.${what} ${useSession()?.caller?.userId} ${place}`
  const [value, setValue] = useState(() => read(key, none))
  const now = useRef(value)
  const set = useCallback(
    (to: (now: T) => T) => {
      now.current = to(now.current)
      if (now.current === none) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, JSON.stringify(now.current))
      setValue(now.current)
    },
    [key],
  )
  return [value, set]
}

function read<T>(key: string, none: T): T {
  try {
    return JSON.parse(sessionStorage.getItem(key)!) ?? none
  } catch {
    return none
  }
}
