/** From and up to, in characters. */
export type Span = readonly [number, number]

/** Where something else is spoken of; commas inside a number part nothing. */
export const CLAUSE =
  /,(?!\d)|(?<!\d),|[;:()|\n]|(?<!\p{L})(?:and|but|while|whereas|und|aber|während|et|mais|y|pero|mientras|e|ma|mas|en|maar)(?!\p{L})/giu
export const PART = /,(?!\d)|(?<!\d),|[;()|\n]|(?<!\p{L})(?:but|while|whereas|aber|während)(?!\p{L})/giu

/** Where a name stands as words of its own. */
export function placesOf(name: string, text: string): number[] {
  const lower = text.toLowerCase()
  // “US” is not “us”, nor a company “Most” the most.
  const [sought, said] =
    name.length < 4 || /^(?:most|least|best|worst|total|other)$/i.test(name) || lower.length !== text.length
      ? [name, text]
      : [name.toLowerCase(), lower]
  const places: number[] = []
  for (let at = said.indexOf(sought); at >= 0; at = said.indexOf(sought, at + sought.length)) {
    const around = `${said[at - 1] ?? ''} ${said[at + sought.length] ?? ''}`
    if (!/[\p{L}\p{N}]/u.test(around)) places.push(at)
  }
  return places
}

/** The parts of a text, each with the mark behind it. */
export function partsOf(text: string, mark: RegExp): Span[] {
  const ends = [...text.matchAll(mark)].map(({ 0: found, index }) => index + found.length)
  return [0, ...ends].map((from, i): Span => [from, ends[i] ?? text.length])
}

/** The one in which this place lies. */
export function partAt(parts: readonly Span[], at: number): Span | undefined {
  return parts.find(([from, to]) => at >= from && at < to)
}

/** The clauses that have a figure, each with those before it that have none: “Rock and Latin have 835”. */
export function clausesOf(text: string, figures: readonly number[]): Span[] {
  const places = figures.toSorted((a, b) => a - b)
  const clauses: Span[] = []
  let [start, next] = [0, 0]
  for (const [from, to] of partsOf(text, CLAUSE)) {
    const first = next
    while (places[next] !== undefined && places[next]! < to) next++
    if (next === first && !/\d/.test(text.slice(from, to))) continue
    clauses.push([start, to])
    start = to
  }
  return clauses
}
