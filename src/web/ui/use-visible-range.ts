import { useVirtualizer } from '@tanstack/react-virtual'
import type { CSSProperties, RefObject } from 'react'

/** Up to this length a list is rendered in full, so that browser search and printing include it. */
const SHORT = 200

interface InSight {
  /** Indexes in the list, in order. */
  readonly shown: readonly number[]
  /** Height in pixels of the entries that are not rendered. */
  readonly before: number
  readonly after: number
  /** Style of each rendered entry. */
  readonly style: CSSProperties | undefined
}

/**
 * Decides which entries of a list are rendered: all entries of a short list, the visible ones of a long list.
 * @param list within a page that scrolls
 * @param height of an entry in rem: measuring each entry costs more than rendering it
 */
export function useVisibleRange(list: RefObject<HTMLElement | null>, count: number, height: number): InSight {
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
