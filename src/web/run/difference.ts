export interface Piece {
  readonly text: string
  readonly change?: 'added' | 'removed'
}

/** Maximum number of words to compare. Comparing longer texts would block the page. */
const MAX_WORDS = 3_000

/** Word-level difference of two texts. Unchanged pieces are part of both. */
export function differenceOf(before: string, after: string): readonly Piece[] {
  if (before === after) return [{ text: before }]
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > MAX_WORDS || now.length > MAX_WORDS)
    return [
      { text: before, change: 'removed' },
      { text: after, change: 'added' },
    ]
  const common = lengths(old, now)
  const pieces: Piece[] = []
  const push = (text: string, change?: Piece['change']): void => {
    const last = pieces.at(-1)
    if (last !== undefined && last.change === change) pieces[pieces.length - 1] = { ...last, text: last.text + text }
    else pieces.push(change === undefined ? { text } : { text, change })
  }
  let [i, j] = [0, 0]
  const width = now.length + 1
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      push(old[i++]!)
      j++
    } else if (j === now.length || (i < old.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      push(old[i++]!, 'removed')
    } else push(now[j++]!, 'added')
  }
  return pieces
}

/** The pieces of the text before (0) or after (1). */
export function sideOf(pieces: readonly Piece[], side: number): readonly Piece[] {
  return pieces.filter(({ change }) => change !== (side === 0 ? 'added' : 'removed'))
}

function wordsOf(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? []
}

/** Length of the longest common subsequence from each place on. */
function lengths(old: readonly string[], now: readonly string[]): Uint16Array {
  const width = now.length + 1
  const table = new Uint16Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const at = i * width + j
      table[at] = old[i] === now[j] ? table[at + width + 1]! + 1 : Math.max(table[at + width]!, table[at + 1]!)
    }
  }
  return table
}
