import type { Block } from '../types.ts'
import { sentencesOf, trimmed, type Span } from './sentences.ts'
import { segmentsOf, type TokenCounter } from './tokens.ts'

const LINE = /[^\n]*\S[^\n]*/g

type Cut = (text: string) => Iterable<Span>

const LINES: Cut = function* (text) {
  for (const { index, 0: line } of text.matchAll(LINE)) yield* trimmed(text, index, index + line.length)
}

/**
 * Splits a block that is too long for one passage: tables, lists and code between lines, paragraphs between sentences.
 * Parts that are still too long are split between words, and endless words anywhere except within a character.
 */
export function* splitBlock(
  text: string,
  { start, end, kind }: Block,
  limit: number,
  counter: TokenCounter,
): Generator<Span> {
  yield* splitBy(
    kind === 'paragraph' ? [sentencesOf, LINES] : [LINES, sentencesOf],
    text.slice(start, end),
    start,
    limit,
    counter,
  )
}

function* splitBy(
  [cut, ...finer]: readonly Cut[],
  text: string,
  offset: number,
  limit: number,
  counter: TokenCounter,
): Generator<Span> {
  if (cut === undefined) return yield* words(text, offset, limit, counter)
  for (const { start, end } of cut(text)) {
    const part = text.slice(start, end)
    if (counter.count(part, limit) <= limit) yield { start: offset + start, end: offset + end }
    else yield* splitBy(finer, part, offset + start, limit, counter)
  }
}

/** As many words as fit, again and again. */
function* words(text: string, offset: number, limit: number, counter: TokenCounter): Generator<Span> {
  let start = 0
  let tokens = 0
  let at = 0
  for (const [segment] of segmentsOf(text)) {
    const cost = counter.count(segment)
    if (tokens + cost > limit && at > start) {
      yield* within(text, start, at, offset)
      start = at
      tokens = 0
    }
    tokens += cost
    at += segment.length
  }
  yield* within(text, start, at, offset)
}

function* within(text: string, from: number, to: number, offset: number): Generator<Span> {
  for (const { start, end } of trimmed(text, from, to)) yield { start: offset + start, end: offset + end }
}
