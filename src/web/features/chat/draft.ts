import { useRef, useState } from 'react'
import { useSession } from '../../app/session.ts'

/**
 * State for text that is typed and not yet sent. It is stored per user and window, so it survives a reload and an
 * expired session. It is written when it is set, not in an effect: a response may arrive after the component unmounted.
 */
export function useDraft<T>(what: string, place: string, none: T): readonly [T, (to: (now: T) => T) => void] {
  const key = `tutti.${what} ${useSession()?.caller?.userId} ${place}`
  const [value, setValue] = useState(() => read(key, none))
  const now = useRef(value)
  const set = (to: (now: T) => T): void => {
    now.current = to(now.current)
    if (now.current === none) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(now.current))
    setValue(now.current)
  }
  return [value, set]
}

function read<T>(key: string, none: T): T {
  try {
    return JSON.parse(sessionStorage.getItem(key)!) ?? none
  } catch {
    return none
  }
}
