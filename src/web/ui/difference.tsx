import { diffArrays } from 'diff'
import { showInvisible } from './show-invisible.ts'

export interface Piece {
  readonly text: string
  readonly change?: 'added' | 'removed'
}

/** Maximum number of words to compare. Comparing longer texts would block the page. */
const MAX_WORDS = 3_000

/** Word-level difference of two texts. Unchanged pieces are part of both. */
export function differenceOf(before: string, after: string): readonly Piece[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  const isLong = before !== after && Math.max(old.length, now.length) > MAX_WORDS
  const parts = isLong
    ? [
        { value: old, removed: true, added: false },
        { value: now, removed: false, added: true },
      ]
    : diffArrays(old, now)
  return parts.map(({ value, removed, added }) => {
    const text = value.join('')
    return removed || added ? { text, change: added ? 'added' : 'removed' } : { text }
  })
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|\S+/g) ?? []
}

/** The pieces of the text before (0) or after (1). */
export function sideOf(pieces: readonly Piece[], side: number): readonly Piece[] {
  return pieces.filter(({ change }) => change !== (side === 0 ? 'added' : 'removed'))
}

/** A text with its insertions and deletions. */
export function Difference({ before, now }: { before: string; now: string }) {
  return differenceOf(before, now).map(({ text, change }, at) => {
    const Tag = change === undefined ? 'span' : change === 'added' ? 'ins' : 'del'
    return <Tag key={at}>{showInvisible(text)}</Tag>
  })
}
