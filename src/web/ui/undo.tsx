import { Undo2, X } from 'lucide-react'
import { useEffect } from 'react'
import { useWords } from '../locales/words.tsx'
import { IconButton } from './icon-button.tsx'

const SHOWN_MS = 8_000

/** Shows an action while it can be undone. */
export function Undo({ children, undo, close }: { children: string; undo: () => void; close: () => void }) {
  const { words } = useWords()
  useEffect(() => {
    const timer = setTimeout(close, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [children, close])
  return (
    <p
      role="status"
      className="card fixed right-4 bottom-20 left-4 z-40 flex items-center gap-3 px-4 py-2.5 text-13 shadow-lg sm:left-auto md:bottom-4"
    >
      <span className="cut min-w-0 flex-1">{children}</span>
      <button
        type="button"
        className="btn btn-sm"
        onClick={() => {
          undo()
          close()
        }}
      >
        <Undo2 size={14} aria-hidden />
        {words.app.undo}
      </button>
      <IconButton icon={X} size={14} label={words.app.close} onClick={close} />
    </p>
  )
}
