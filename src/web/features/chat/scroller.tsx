import { ArrowDown } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../../words/words.tsx'

/** Follows what is written, until the reader scrolls up; one press leads back to the newest. */
export function Scroller({ turns, follow, children }: { turns: number; follow: number; children: ReactNode }) {
  const { words } = useWords()
  const box = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const isOpening = useRef(true)
  const [isAtEnd, setAtEnd] = useState(true)
  const note = (is: boolean): void => {
    isFollowing.current = is
    setAtEnd(is)
  }
  const toEnd = (): void => box.current?.scrollTo({ top: box.current.scrollHeight })
  useEffect(() => {
    if (isFollowing.current) toEnd()
  }, [follow])
  // A question that was just asked is wanted in sight, wherever the reader was.
  useEffect(() => {
    isOpening.current = true
    note(true)
    toEnd()
  }, [turns])
  // What comes late, such as code that is loaded, moves the end, until the reader does something.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isOpening.current && isFollowing.current) toEnd()
    })
    observer.observe(inner.current!)
    return () => observer.disconnect()
  }, [])
  const touched = (): void => void (isOpening.current = false)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={box}
        className="min-h-0 flex-1 overflow-y-auto"
        onPointerDown={touched}
        onKeyDown={touched}
        onWheel={touched}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
          note(scrollHeight - scrollTop - clientHeight < 80)
        }
      >
        <div ref={inner} className="mx-auto flex w-full max-w-170 flex-col gap-8 px-4 py-6">
          {children}
        </div>
      </div>
      {isAtEnd ? null : (
        <button
          type="button"
          data-floats
          className="no-print btn btn-sm absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-md"
          onClick={toEnd}
        >
          <ArrowDown size={14} aria-hidden />
          {words.reading.newest}
        </button>
      )}
    </div>
  )
}
