import { useState, type PointerEvent } from 'react'

/** Start and end as fractions of the width, from 0 to 1, in ascending order. */
export type Dragged = readonly [from: number, until: number]

/**
 * Handles a horizontal drag over an element.
 * @param done called with the range when the pointer is released
 */
export function useDrag(done: (drag: Dragged) => void) {
  const [drag, setDrag] = useState<readonly [number, number] | undefined>()
  const dragged: Dragged | undefined = drag && [Math.min(...drag), Math.max(...drag)]
  return {
    dragged,
    on: {
      onPointerDown(event: PointerEvent): void {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag([shareAt(event), shareAt(event)])
      },
      onPointerMove(event: PointerEvent): void {
        if (drag !== undefined) setDrag([drag[0], shareAt(event)])
      },
      onPointerUp(): void {
        setDrag(undefined)
        if (dragged !== undefined) done(dragged)
      },
      onPointerCancel: () => setDrag(undefined),
    },
  }
}

/** Horizontal position of the pointer within the element, from 0 to 1. */
function shareAt({ clientX, currentTarget }: PointerEvent): number {
  const { left, width } = currentTarget.getBoundingClientRect()
  return Math.min(1, Math.max(0, (clientX - left) / width))
}
