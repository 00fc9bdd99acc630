import { useState, type PointerEvent } from 'react'

/** From where to where, as shares of the width: 0 to 1, the smaller first. */
export type Dragged = readonly [from: number, until: number]

/** A drag over an element, from one place of its width to another. @param done told where it went, once it is let go */
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

/** Where a pointer is over the width of the element that is told of it. */
export function shareAt({ clientX, currentTarget }: PointerEvent): number {
  const { left, width } = currentTarget.getBoundingClientRect()
  return Math.min(1, Math.max(0, (clientX - left) / width))
}
