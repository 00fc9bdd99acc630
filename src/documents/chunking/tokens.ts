import { vocabularyOf, type Vocabulary } from './vocabulary.ts'

/** Counts tokens of the vocabulary `o200k_base`. */
export interface TokenCounter {
  /** Stops counting once there are more than `max`, and gives the number reached. */
  count(text: string, max?: number): number
}

/**
 * White space with the word behind it. Both are cut where they are longer than usual, since the time for finding the
 * tokens of one piece grows with the square of its length.
 */
const SEGMENT = /\s{0,32}\S{1,48}|\s{1,32}/gu
const MAX_CACHED_WORDS = 50_000

/** The pieces of a text that are counted one by one; put together they are the text. */
export function segmentsOf(text: string): RegExpStringIterator<RegExpExecArray> {
  return text.matchAll(SEGMENT)
}

/**
 * Loads the vocabulary, in about 0.1 s. The count of a text is the sum over its segments: that of the whole, or a little
 * more where words are very long and between paragraphs. The merging is done here: the encoder of the package takes
 * milliseconds for a long word, and a second to start.
 */
export async function createTokenCounter(): Promise<TokenCounter> {
  const { default: o200k } = await import('js-tiktoken/ranks/o200k_base')
  const vocabulary = vocabularyOf(o200k.bpe_ranks)
  const pattern = new RegExp(o200k.pat_str, 'ug')
  const cache = new Map<string, number>()
  const countSegment = (segment: string): number => {
    const remembered = cache.get(segment)
    if (remembered !== undefined) return remembered
    let count = 0
    for (const [word] of segment.matchAll(pattern)) count += countWord(Buffer.from(word), vocabulary)
    if (cache.size >= MAX_CACHED_WORDS) cache.clear()
    cache.set(segment, count)
    return count
  }
  return {
    count(text, max = Infinity) {
      let count = 0
      for (const [segment] of segmentsOf(text)) {
        count += countSegment(segment)
        if (count > max) break
      }
      return count
    },
  }
}

/** Byte pair encoding: merges the neighbours of the lowest rank until none can be merged. */
function countWord(bytes: Buffer, vocabulary: Vocabulary): number {
  if (vocabulary.rankOf(bytes.toString('base64')) !== undefined) return 1
  const starts = Array.from({ length: bytes.length + 1 }, (_, i) => i)
  const rankAt = (i: number): number => {
    const end = starts[i + 2]
    return end === undefined ? Infinity : (vocabulary.rankOf(bytes.toString('base64', starts[i], end)) ?? Infinity)
  }
  const pairs = starts.map((_, i) => rankAt(i))
  for (;;) {
    let at = -1
    let lowest = Infinity
    for (const [i, rank] of pairs.entries()) {
      if (rank < lowest) {
        lowest = rank
        at = i
      }
    }
    if (at < 0) return starts.length - 1
    starts.splice(at + 1, 1)
    pairs.splice(at + 1, 1)
    pairs[at] = rankAt(at)
    if (at > 0) pairs[at - 1] = rankAt(at - 1)
  }
}
