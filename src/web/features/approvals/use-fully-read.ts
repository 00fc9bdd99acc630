import { useEffect, useRef, useState, type RefObject } from 'react'

interface Reading {
  /** For what scrolls. */
  readonly room: RefObject<HTMLDivElement | null>
  /** Marks the end of the content to read. */
  readonly end: RefObject<HTMLSpanElement | null>
  readonly isRead: boolean
  /** Shows what comes next. */
  readonly on: () => void
}

/** Whether the whole content was visible, which is required for approval. */
export function useFullyRead(): Reading {
  const room = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLSpanElement>(null)
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry!.isIntersecting) setRead(true)
      },
      { root: room.current },
    )
    watch.observe(end.current!)
    return () => watch.disconnect()
  }, [])
  const on = (): void => room.current?.scrollBy({ top: room.current.clientHeight * 0.8 })
  return { room, end, isRead, on }
}
