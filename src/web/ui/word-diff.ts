/** A piece of a text, and whether the other text has it as well. */
export interface Piece {
  readonly text: string
  readonly isShared: boolean
}

/** Longer texts are compared as a whole: the table grows with the product of both lengths. */
const MAX_WORDS = 1_500

/** Two texts in pieces, word by word, by their longest common sequence. */
export function wordDiff(a: string, b: string): readonly [readonly Piece[], readonly Piece[]] {
  const [one, other] = [wordsOf(a), wordsOf(b)]
  if (one.length > MAX_WORDS || other.length > MAX_WORDS) {
    return [[{ text: a, isShared: a === b }], [{ text: b, isShared: a === b }]]
  }
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1))
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      lengths[i]![j] =
        one[i] === other[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
    }
  }
  const [left, right]: [Piece[], Piece[]] = [[], []]
  let [i, j] = [0, 0]
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      add(left, one[i++]!, true)
      add(right, other[j++]!, true)
    } else if (j === other.length || (i < one.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      add(left, one[i++]!, false)
    } else add(right, other[j++]!, false)
  }
  return [left, right]
}

/** Words with the blanks after them. */
function wordsOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? []
}

function add(pieces: Piece[], text: string, isShared: boolean): void {
  const last = pieces.at(-1)
  if (last?.isShared === isShared) pieces[pieces.length - 1] = { text: last.text + text, isShared }
  else pieces.push({ text, isShared })
}
