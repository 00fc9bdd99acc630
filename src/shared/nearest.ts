import { distance } from 'fastest-levenshtein'

/** The known word with the fewest letters to change, where that is less than half of them. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((one) => ({ one, distance: distance(word.toLowerCase(), one.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance * 2 < Math.max(word.length, 3) ? best.one : undefined
}
