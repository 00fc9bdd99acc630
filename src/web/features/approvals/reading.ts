import { useEffect, useRef, useState, type RefObject } from 'react'

interface Reading {
  /** For what scrolls. */
  readonly room: RefObject<HTMLDivElement | null>
  /** For what stands after the last of what is to be read. */
  readonly end: RefObject<HTMLSpanElement | null>
  readonly isRead: boolean
  /** Shows what comes next. */
  readonly on: () => void
}

/** Whether all of what is decided on has been in sight: nobody approves what they could not see. */
export function useReading(): Reading {
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
