import { useLayoutEffect, useRef } from 'react'
import type { AnswerFormat } from '../../../client/run.ts'
import { differenceOf, sideOf, type Piece } from '../../run/difference.ts'
import { Words } from '../chat/markdown.tsx'

/** Defined here because the CSS minifier does not know this pseudo-element. */
const SHEET = `
::highlight(only-a) { background: var(--ok-soft); color: var(--ok-text) }
::highlight(only-b) { background: var(--accent-soft); color: var(--accent-text) }`

interface Answered {
  readonly answer: string
  readonly metadata: { readonly format: AnswerFormat }
}

/** Two answers side by side; words that only one of them has are highlighted. */
export function BothAnswers({ a, b }: { a: Answered; b: Answered }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [left, right] = [...(box.current?.children ?? [])].map(textsIn)
    if (left === undefined || right === undefined || !('highlights' in CSS)) return
    const pieces = differenceOf(textOf(left), textOf(right))
    CSS.highlights.set('only-a', new Highlight(...rangesOf(left, sideOf(pieces, 0))))
    CSS.highlights.set('only-b', new Highlight(...rangesOf(right, sideOf(pieces, 1))))
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(SHEET)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
      CSS.highlights.delete('only-a')
      CSS.highlights.delete('only-b')
    }
  }, [a, b])
  return (
    <div ref={box} className="grid md:grid-cols-2">
      {[a, b].map(({ answer, metadata: { format } }, at) => (
        <div key={at} className="min-w-0 border-line p-4 md:not-first:border-l">
          <Words text={answer} format={format} mark={() => undefined} />
        </div>
      ))}
    </div>
  )
}

function textsIn(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (walker.nextNode() !== null) found.push(walker.currentNode as Text)
  return found
}

/** Joins the texts with a space between separate nodes. */
function textOf(texts: readonly Text[]): string {
  return texts.map(({ data }) => data).join(' ')
}

/** DOM ranges of the pieces that only this side has. */
function rangesOf(texts: readonly Text[], pieces: readonly Piece[]): Range[] {
  const ranges: Range[] = []
  let from = 0
  for (const { text, change } of pieces) {
    if (change !== undefined) ranges.push(...rangesWithin(texts, from, from + text.trimEnd().length))
    from += text.length
  }
  return ranges
}

function rangesWithin(texts: readonly Text[], from: number, to: number): Range[] {
  let start = 0
  return texts.flatMap((node) => {
    const [begin, end] = [Math.max(from - start, 0), Math.min(to - start, node.length)]
    start += node.length + 1
    if (begin >= end) return []
    const range = new Range()
    range.setStart(node, begin)
    range.setEnd(node, end)
    return [range]
  })
}
