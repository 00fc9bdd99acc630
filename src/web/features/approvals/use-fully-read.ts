import { useEffect, useRef, useState, type RefObject } from 'react'

interface Reading {
  /** For what scrolls. */
  readonly container: RefObject<HTMLDivElement | null>
  /** Marks the end of the content to read. */
  readonly end: RefObject<HTMLSpanElement | null>
  readonly isRead: boolean
  /** Shows what comes next. */
  readonly scrollOn: () => void
}

/** Whether the whole content was visible, which is required for approval. */
export function useFullyRead(): Reading {
  const container = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLSpanElement>(null)
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry!.isIntersecting) setRead(true)
      },
      { root: container.current },
    )
    watch.observe(end.current!)
    return () => watch.disconnect()
  }, [])
  const scrollOn = (): void => container.current?.scrollBy({ top: container.current.clientHeight * 0.8 })
  return { container, end, isRead, scrollOn }
}
