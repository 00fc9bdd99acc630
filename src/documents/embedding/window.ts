/**
 * Maximum input tokens of widely used open models, from their model cards. Servers reject longer texts or truncate them
 * silently.
 */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/all-minilm/i, 256],
  [
    /(?:^|[/:-])(?:multilingual-)?e5-(?!mistral)|mxbai-embed-large|bge-(?:small|base|large)|gte-(?:small|base|large)(?!.*1\.5)|paraphrase-|snowflake-arctic-embed(?!.*(?:2|long))/i,
    512,
  ],
  [/nomic-embed-text/i, 2048],
]
/** OpenAI's; others of today take as much. */
const USUAL = 8191

/** Where a table may take a token for every two characters. */
const CHARS_PER_TOKEN = 2

/** Characters of one text that a model takes for sure. */
export function windowOf(name: string, tokens: number | undefined): number {
  return (tokens ?? WINDOWS.find(([pattern]) => pattern.test(name))?.[1] ?? USUAL) * CHARS_PER_TOKEN
}

/** Splits a text into parts of limited length, between words if possible. */
export function splitText(text: string, max: number): string[] {
  const parts: string[] = []
  for (let rest = text; rest !== '';) {
    const whole = rest.length <= max ? rest : rest.slice(0, max).replace(/\p{Cs}$/u, '')
    const part = whole === rest ? rest : whole.replace(/(?<=\S)\s+\S*$/, '')
    parts.push(part)
    rest = rest.slice(part.length).trimStart()
  }
  return parts
}

/** One vector for the parts of a text: their mean, each part as long as the others. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors
  if (vectors.length === 1) return first!
  const sum = new Float32Array(first!.length)
  for (const vector of vectors) {
    const length = Math.hypot(...vector)
    for (const [i, value] of vector.entries()) sum[i]! += value / length / vectors.length
  }
  return sum
}
