/** A page as one line of prose: without blocks of code, inline code kept short, white space as one space. */
export function textOf(page: string): string {
  return page
    .replaceAll(/^```[\s\S]*?^```$/gm, ' ')
    .replaceAll(/`[^`]*`/g, (code) => (STRONG.test(code) ? '`…`' : code))
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Words that make a sentence a promise. */
const STRONG = /\b(?:never|always|can ?not|only after|(?:is|are) refused)\b|\bno\b[^.;:|]*?\bever\b/i

/** “What cannot be undone”, “a file that cannot be read”, “which SQL is refused”: conditions, not promises. */
const CONDITION =
  /\bcannot be undone\b|\b(?:that|what|(?<!, )which|who|where|why|if|whose \w+)(?: (?!which|that)\S+){0,2} (?:cannot|(?:is|are) refused)\b/gi

export interface Place {
  readonly start: number
  readonly end: number
}

/** Where a text promises something. */
export function strongWordsOf(text: string): Place[] {
  const places = (pattern: RegExp): Place[] =>
    [...text.matchAll(new RegExp(pattern, 'gi'))].map(({ index, 0: found }) => ({
      start: index,
      end: index + found.length,
    }))
  const conditions = places(CONDITION)
  return places(STRONG).filter(({ end }) => !conditions.some((one) => one.start < end && end <= one.end))
}
