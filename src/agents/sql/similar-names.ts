/** Names and values that are spelled alike: by their shared pairs of letters, without case and accents. */

export const MIN_SIMILARITY = 0.45

export function foldName(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

/** Dice coefficient of the character pairs of two texts: 1 for equal texts, 0 if they share none. */
export function similarity(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)]
  const shared = [...a].filter((part) => b.has(part)).length
  return (2 * shared) / (a.size + b.size)
}

function pairsOf(text: string): ReadonlySet<string> {
  const padded = ` ${foldName(text)} `
  return new Set(Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2)))
}

const MAX_NAMES = 5

/** The names most like one, the best first. */
export function nearestNames(name: string, names: Iterable<string>, likeness = similarity): readonly string[] {
  return [...new Set(names)]
    .map((other) => ({ other, score: likeness(name, other) }))
    .filter(({ score }) => score >= MIN_SIMILARITY)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_NAMES)
    .map(({ other }) => other)
}
