import type { FigureCheck, Citation } from '../domain/answer.ts'

/** Figures with fewer digits also occur in other sources by coincidence. */
const MIN_DIGITS = 5
/** A sentence with the marks behind it. */
const SENTENCE = /[^\n.!?]+(?:[.!?](?!\s)[^\n.!?]*)*[.!?]*(?:[ \t]*\[\d+\])*/g

/**
 * Figures that are in a cited source, but in none of those that their sentence cites; as “7,450.38 is in [1], not in
 * [2]”. A figure that the answer cites rightly elsewhere is left out.
 */
export function findMiscitedFigures(
  answer: string,
  figures: readonly FigureCheck[],
  citations: readonly Citation[],
): readonly string[] {
  const numbers = new Map(citations.map(({ n, source }) => [source.id, n]))
  const right = new Set<string>()
  const wrong = new Map<string, string>()
  const checked = figures
    .filter(({ status, text }) => status === 'found' && significantDigits(text) >= MIN_DIGITS)
    .toSorted((a, b) => a.start - b.start)
  let next = 0
  for (const { 0: sentence, index } of answer.matchAll(SENTENCE)) {
    const first = next
    while (next < checked.length && checked[next]!.start < index + sentence.length) next++
    const cited = [...new Set([...sentence.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n)))]
    if (cited.length === 0) continue
    for (const { text, sources = [] } of checked.slice(first, next)) {
      const own = sources.flatMap((id) => numbers.get(id) ?? [])
      if (own.length === 0 || own.some((n) => cited.includes(n))) right.add(text)
      else wrong.set(text, `${text} is in ${marks(own)}, not in ${marks(cited)}`)
    }
  }
  return [...wrong].flatMap(([text, why]) => (right.has(text) ? [] : [why]))
}

function significantDigits(figure: string): number {
  return figure.replaceAll(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '').length
}

function marks(numbers: readonly number[]): string {
  return numbers.map((n) => `[${n}]`).join('')
}
