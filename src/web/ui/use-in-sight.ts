import { useVirtualizer } from '@tanstack/react-virtual'
import type { CSSProperties, RefObject } from 'react'

/** A list up to this long is drawn whole, and so it is found by the browser and printed. */
const SHORT = 200

interface InSight {
  /** Places in the list, in its order. */
  readonly shown: readonly number[]
  /** Pixels that what is not drawn takes up. */
  readonly before: number
  readonly after: number
  /** Of each entry that is drawn. */
  readonly style: CSSProperties | undefined
}

/**
 * Which entries of a list are drawn: all of a short one, of a long one those in sight.
 * @param list within a page that scrolls
 * @param height of an entry in rem: measuring each costs more than drawing it
 */
export function useInSight(list: RefObject<HTMLElement | null>, count: number, height: number): InSight {
  const isLong = count > SHORT
  const virtual = useVirtualizer({
    count: isLong ? count : 0,
    getScrollElement: () => list.current?.closest('[data-scrolls]') ?? null,
    estimateSize: () => height * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    overscan: 10,
  })
  if (!isLong) return { shown: Array.from({ length: count }, (_none, n) => n), before: 0, after: 0, style: undefined }
  const entries = virtual.getVirtualItems()
  return {
    shown: entries.map(({ index }) => index),
    before: entries[0]?.start ?? 0,
    after: virtual.getTotalSize() - (entries.at(-1)?.end ?? 0),
    style: { height: `${height}rem` },
  }
}
