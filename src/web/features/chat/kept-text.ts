import { useEffect, useState } from 'react'
import { useSession } from '../../app/session.ts'

/** What is typed in a place and not sent: in this window it outlives a reload, and a session that ends meanwhile, for the same person. */
export function useKeptText(place: string): readonly [string, (text: string) => void] {
  const key = `tutti.draft ${useSession()?.caller?.userId} ${place}`
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  useEffect(() => {
    if (text === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  }, [key, text])
  return [text, setText]
}
