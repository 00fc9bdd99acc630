import { countTerms, searchTerms } from '../search/analysis.ts'

/** As in Qdrant's own BM25. A weight is stored with its point and cannot follow a later average. */
const K1 = 1.2
const B = 0.75
const AVERAGE_LENGTH = 256

/** A sparse vector in Qdrant's form: no index twice. */
export interface SparseVector {
  readonly indices: readonly number[]
  readonly values: readonly number[]
}

/**
 * The term frequency part of BM25 of texts that belong together; Qdrant multiplies the inverse document frequency in.
 * An index is the absolute value of MurmurHash3 of the term, as with Qdrant's own BM25, so that a query made by it
 * meets terms that stem alike.
 */
export function bm25Vector(texts: readonly string[]): SparseVector {
  const terms = texts.flatMap(searchTerms)
  const counts = new Map<number, number>()
  for (const [term, count] of countTerms(terms)) {
    const index = Math.abs(murmur3(Buffer.from(term)))
    counts.set(index, (counts.get(index) ?? 0) + count)
  }
  const norm = K1 * (1 - B + (B * terms.length) / AVERAGE_LENGTH)
  return {
    indices: [...counts.keys()],
    values: [...counts.values()].map((count) => (count * (K1 + 1)) / (count + norm)),
  }
}

/** MurmurHash3 x86, 32 bits, seed 0, as a signed number (Austin Appleby, public domain). */
export function murmur3(bytes: Buffer): number {
  const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))
  const mix = (word: number): number => Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593)
  const whole = bytes.length & ~3
  let hash = 0
  for (let at = 0; at < whole; at += 4)
    hash = (Math.imul(rotate(hash ^ mix(bytes.readInt32LE(at)), 13), 5) + 0xe6546b64) | 0
  let rest = 0
  for (let at = bytes.length - 1; at >= whole; at--) rest = (rest << 8) | bytes[at]!
  if (bytes.length > whole) hash ^= mix(rest)
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
