import { WifiOff } from 'lucide-react'
import { useEffect } from 'react'
import { useWords } from '../words/words.tsx'

interface ConnectionProps {
  /** As the last question to the server went. A browser without a network still reaches a server on its own machine. */
  readonly isLost: boolean
  readonly lookAgain: () => unknown
}

/** Says for as long as it lasts that the server cannot be reached. */
export function Connection({ isLost, lookAgain }: ConnectionProps) {
  const { words } = useWords()
  useEffect(() => {
    addEventListener('online', lookAgain)
    addEventListener('offline', lookAgain)
    return () => {
      removeEventListener('online', lookAgain)
      removeEventListener('offline', lookAgain)
    }
  }, [lookAgain])
  if (!isLost) return null
  return (
    <p className="tone-warn flex flex-none items-center gap-2 border-b px-4 py-1.5 text-12" role="alert">
      <WifiOff size={14} aria-hidden className="flex-none" />
      {words.connection.lost}
    </p>
  )
}
