import { useEffect, useRef } from 'react'
import type { TextRange } from './document-view.tsx'

interface MarkedTextProps {
  readonly text: string
  /** In characters of the text; it is scrolled to. */
  readonly mark: TextRange | undefined
}

/** Text of a document as it was read, with a passage marked where one was asked for. */
export function MarkedText({ text, mark }: MarkedTextProps) {
  const passage = useRef<HTMLElement>(null)
  const { start = 0, end = 0 } = mark ?? {}
  useEffect(() => passage.current?.scrollIntoView({ block: 'center' }), [start, end])
  if (start === end) return text
  return (
    <>
      {text.slice(0, start)}
      <mark ref={passage} className="passage">
        {text.slice(start, end)}
      </mark>
      {text.slice(end)}
    </>
  )
}
