/** The rank of each token of a vocabulary: which pieces are merged first. */
export interface Vocabulary {
  /** @param token in base64 */
  rankOf(token: string): number | undefined
}

const SPACE = 0x20
/** Four characters of base64 and their prefix. */
const MIN_TOKEN_CHARS = 5

/**
 * Each line contains a mark, the first rank of the line, and tokens in base64. Tokens are looked up in this text with a
 * hash table with open addressing: creating 200,000 strings takes longer than reading most documents.
 */
export function vocabularyOf(lines: string): Vocabulary {
  const bytes = Buffer.from(lines, 'latin1')
  // Some places stay free, at which a search ends.
  const size = 2 ** Math.ceil(Math.log2(lines.length / MIN_TOKEN_CHARS + 2))
  /** Where the token of a place begins, and 0 for a place that is free: the first token of all has a mark before it. */
  const starts = new Int32Array(size)
  const ranks = new Int32Array(size)
  const placeAt = (hash: number): number => (hash ^ (hash >>> 15)) & (size - 1)
  for (let from = 0; from < bytes.length;) {
    const lineEnd = endOf(bytes, 0x0a, from)
    const first = bytes.indexOf(SPACE, from) + 1
    let start = endOf(bytes, SPACE, first) + 1
    let rank = Number(lines.slice(first, start - 1))
    let hash = 0
    for (let at = start; at <= lineEnd; at++) {
      if (at < lineEnd && bytes[at] !== SPACE) {
        hash = hashOn(hash, bytes[at]!)
        continue
      }
      let place = placeAt(hash)
      while (starts[place] !== 0) place = (place + 1) & (size - 1)
      starts[place] = start
      ranks[place] = rank++
      start = at + 1
      hash = 0
    }
    from = lineEnd + 1
  }
  return {
    rankOf(token) {
      let hash = 0
      for (let i = 0; i < token.length; i++) hash = hashOn(hash, token.charCodeAt(i))
      for (let place = placeAt(hash); ; place = (place + 1) & (size - 1)) {
        const start = starts[place]!
        if (start === 0) return undefined
        const nextByte = bytes[start + token.length]
        if ((nextByte === undefined || nextByte <= SPACE) && lines.startsWith(token, start)) return ranks[place]
      }
    },
  }
}

function hashOn(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0
}

function endOf(bytes: Buffer, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from)
  return at < 0 ? bytes.length : at
}
