/** A part of a text; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Punctuation that ends a sentence before whitespace; East Asian punctuation needs none. */
const END = /[.!?…؟۔।]+["'”’)\]»]*(?=\s|$)|[。！？]+["'”’」』）]*/gu

/**
 * Pattern source for words before a full stop that does not end the sentence, shared by all sentence splitters. Single
 * letters and ordinals are handled by the splitters, which know the context.
 */
const ABBREVIATIONS =
  String.raw`(?:\p{L}\.\s?)+\p{L}|p\.\s?ex|Rs|Mr|Mrs|Ms|Dr|Prof|St|Nr|No|vs|cf|resp|etc|approx|ca|bzw|usw|evtl|ggf|sog|vgl|bspw|` +
  'incl|inkl|exkl|excl|max|min|Inc|Ltd|Co|Corp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|fig|Abb|Abs|Art|par|eq|sec|ch|' +
  'vol|ed|al|pp?'

/** Text before a full stop that ends no sentence: an ordinal, an initial, an abbreviation. */
const CONTINUES = new RegExp(String.raw`(?:^|[\s("“‘[])(?:\d{1,3}|\p{L}|${ABBREVIATIONS})\.$`, 'iu')

/** The sentences of a text, without the white space around them. A full stop before a small letter ends none. */
export function* sentencesOf(text: string): Generator<Span> {
  let start = 0
  for (const { index, 0: mark } of text.matchAll(END)) {
    const end = index + mark.length
    if (mark === '.' && continuesSentence(text, start, end)) continue
    yield* trimmed(text, start, end)
    start = end
  }
  yield* trimmed(text, start, text.length)
}

function continuesSentence(text: string, start: number, end: number): boolean {
  if (/^\s+\p{Ll}/u.test(text.slice(end, end + 8))) return true
  return end < text.length && CONTINUES.test(text.slice(Math.max(start, end - 24), end))
}

/** A part of a text without the white space at its ends; none when that is all it holds. */
export function* trimmed(text: string, from: number, to: number): Generator<Span> {
  const part = text.slice(from, to)
  const start = from + part.length - part.trimStart().length
  const end = to - (part.length - part.trimEnd().length)
  if (end > start) yield { start, end }
}
