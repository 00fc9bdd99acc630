import type { NewDocument } from '../src/documents/types.ts'

const VOCABULARY = 60_000
const WORDS_PER_CHUNK = 200
const CLUSTERS = 400

/** Mulberry32: small, quick, and the same numbers everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The word of a rank, as letters. */
function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / 20))
    word += 'bcdfghjklmnpqrstvwxz'[rest % 20]! + 'aeiou'[rest % 5]!
  return word
}

/** Ranks as frequent as Zipf's law says: the cumulative weights are inverted by bisection. */
const CUMULATIVE = (() => {
  const sums = new Float64Array(VOCABULARY)
  let total = 0
  for (let rank = 0; rank < VOCABULARY; rank++) sums[rank] = total += 1 / (rank + 2.7)
  return sums
})()

function zipfRank(random: () => number): number {
  const wanted = random() * CUMULATIVE[VOCABULARY - 1]!
  let low = 0
  let high = VOCABULARY - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (CUMULATIVE[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** A document of so many chunks of 150 to 250 words. */
export function madeUpDocument(seed: number, chunks: number): NewDocument {
  const random = randomFrom(seed)
  let text = ''
  const cut = Array.from({ length: chunks }, (_, ordinal) => {
    const start = text.length
    const count = WORDS_PER_CHUNK - 50 + Math.floor(random() * 100)
    const passage = Array.from({ length: count }, () => wordOf(zipfRank(random))).join(' ')
    text += `${passage}\n`
    return { ordinal, text: passage, start, end: start + passage.length, kind: 'text' as const, tokens: count }
  })
  return {
    name: `document ${seed}.txt`,
    type: 'txt',
    hash: String(seed),
    description: '',
    topics: [],
    bytes: text.length,
    addedAt: seed,
    notes: [],
    text,
    chunks: cut,
    parents: cut.map(() => undefined),
  }
}

/** Questions of six words, from frequent to rare. */
export function madeUpQuestions(count: number): string[] {
  const random = randomFrom(7)
  return Array.from({ length: count }, () =>
    [3, 10, 30, 100, 300, 1_000].map((rank) => wordOf(rank + Math.floor(random() * rank * 2))).join(' '),
  )
}

/** A vector near one of some centres, as texts about the same thing have. */
export function madeUpVector(seed: number, size: number): Float32Array {
  const centre = randomFrom(1_000 + (seed % CLUSTERS))
  const own = randomFrom(seed * 31 + 5)
  return Float32Array.from({ length: size }, () => centre() - 0.5 + (own() - 0.5) * 0.8)
}
