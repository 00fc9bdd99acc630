import { WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useWords } from '../words/words.tsx'

/** Says for as long as it lasts that the server cannot be reached. @param isLost as the last question to it went */
export function Connection({ isLost }: { isLost: boolean }) {
  const { words } = useWords()
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const look = (): void => setOnline(navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  if (isOnline && !isLost) return null
  return (
    <p className="tone-warn flex flex-none items-center gap-2 border-b px-4 py-1.5 text-12" role="alert">
      <WifiOff size={14} aria-hidden className="flex-none" />
      {words.connection.lost}
    </p>
  )
}
