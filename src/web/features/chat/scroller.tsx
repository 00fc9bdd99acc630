import { ArrowDown } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../../locales/words.tsx'
import { Button } from '../../ui/button.tsx'

/** Within this distance in pixels the end is reached. */
const NEAR = 80

/** Follows the end of the conversation while the answer is streamed. Stops when the user scrolls up. */
export function Scroller({ turns, follow, children }: { turns: number; follow: number; children: ReactNode }) {
  const { words } = useWords()
  const box = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const isOpening = useRef(true)
  const [isAtEnd, setAtEnd] = useState(true)
  const toEnd = (): void => box.current?.scrollTo({ top: box.current.scrollHeight })
  const note = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement): void => {
    isFollowing.current = scrollHeight - clientHeight - scrollTop < NEAR
    setAtEnd(isFollowing.current)
  }
  useEffect(() => {
    if (isFollowing.current) toEnd()
  }, [follow])
  // Scroll a new question into view, wherever the user has scrolled.
  useEffect(() => {
    isOpening.current = true
    isFollowing.current = true
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
        onScroll={({ currentTarget }) => note(currentTarget)}
      >
        <div ref={inner} className="mx-auto flex w-full max-w-170 flex-col gap-8 px-4 py-6">
          {children}
        </div>
      </div>
      {isAtEnd ? null : (
        <Button
          icon={ArrowDown}
          label={words.reading.newest}
          className="no-print btn-sm absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-md"
          data-floats
          onClick={toEnd}
        />
      )}
    </div>
  )
}
