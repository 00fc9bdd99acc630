import { ArrowDown } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../../locales/words.tsx'
import { Button } from '../../ui/button.tsx'

/** Pixels above a question, and within which the end is reached. */
const MARGIN = 24
const NEAR = 80

/**
 * Follows the streamed answer until its question reaches the top; if the user jumped to the end, follows the end. Stops
 * following when the user scrolls elsewhere.
 */
export function Scroller({ turns, follow, children }: { turns: number; follow: number; children: ReactNode }) {
  const { words } = useWords()
  const box = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const isOpening = useRef(true)
  const isToEnd = useRef(false)
  const place = useRef(0)
  const [isAtEnd, setAtEnd] = useState(true)
  /** How far the newest question is from the top, and the end from where one is. */
  const distances = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement): { start: number; end: number } => {
    const newest = inner.current?.lastElementChild?.getBoundingClientRect().top ?? 0
    const start = scrollTop + newest - (box.current?.getBoundingClientRect().top ?? 0) - MARGIN
    return { start, end: scrollHeight - clientHeight }
  }
  const continueFollowing = (): void => {
    if (box.current === null) return
    const { start, end } = distances(box.current)
    place.current = Math.max(0, isToEnd.current ? end : Math.min(start, end))
    box.current.scrollTo({ top: place.current })
  }
  const toEnd = (): void => {
    isToEnd.current = true
    continueFollowing()
  }
  const note = (at: HTMLElement): void => {
    const { start, end } = distances(at)
    const isNear = end - at.scrollTop < NEAR
    isFollowing.current = isNear || Math.abs(at.scrollTop - place.current) < 2
    if (isNear && at.scrollTop > start + NEAR) isToEnd.current = true
    setAtEnd(isNear)
  }
  useEffect(() => {
    if (isFollowing.current) continueFollowing()
  }, [follow])
  // Scroll a new question into view, wherever the user has scrolled.
  useEffect(() => {
    isOpening.current = true
    isFollowing.current = true
    isToEnd.current = false
    continueFollowing()
  }, [turns])
  // What comes late, such as code that is loaded, moves the end, until the reader does something.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isOpening.current && isFollowing.current) continueFollowing()
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
