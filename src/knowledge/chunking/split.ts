import type { Block } from '../types.ts'
import { segmentsOf, type TokenCounter } from './tokens.ts'

/** A part of a document's text. */
export interface Span {
  readonly start: number
  readonly end: number
}

const LINE = /[^\n]*\S[^\n]*/g
/** Ends of sentences, also where East Asian scripts leave no space behind them. */
const SENTENCE = /\S[\s\S]*?(?:[.!?…]["'”’)\]]*(?=\s|$)|[。！？]["'”’」』）]*|$)/g

type Cut = (text: string) => Iterable<Span>

const LINES: Cut = (text) => matches(text, LINE)
const SENTENCES: Cut = (text) => matches(text, SENTENCE)

/**
 * Cuts a block that is too long for one passage into parts that fit: tables, lists and code between lines, paragraphs
 * between sentences; what is still too long, between words, and a word without end anywhere but inside a character.
 */
export function* splitBlock(
  text: string,
  { start, end, kind }: Block,
  limit: number,
  counter: TokenCounter,
): Generator<Span> {
  yield* splitBy(
    kind === 'paragraph' ? [SENTENCES, LINES] : [LINES, SENTENCES],
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
      yield* trimmed(text, start, at, offset)
      start = at
      tokens = 0
    }
    tokens += cost
    at += segment.length
  }
  yield* trimmed(text, start, at, offset)
}

function* trimmed(text: string, from: number, to: number, offset: number): Generator<Span> {
  const part = text.slice(from, to)
  const start = from + part.length - part.trimStart().length
  const end = to - (part.length - part.trimEnd().length)
  if (end > start) yield { start: offset + start, end: offset + end }
}

function* matches(text: string, pattern: RegExp): Generator<Span> {
  for (const { index, 0: match } of text.matchAll(pattern)) yield* trimmed(text, index, index + match.length, 0)
}
