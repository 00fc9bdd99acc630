type Span = readonly [from: number, to: number]

/** Finds any of many texts in a text. The time hardly depends on their number, since a question can have thousands. */
export class KnownTexts {
  readonly #sorted: readonly string[]
  /** By index in `#sorted`: the longest other text that it begins with; -1 if there is none. */
  readonly #prefixes: Int32Array
  /** Whether one of them begins with two characters of this hash: most places of a text are out at the first look. */
  readonly #pairs = new Uint8Array(0x1_00_00)
  readonly #longest: number

  /** @param texts of two characters or more */
  constructor(texts: readonly string[]) {
    this.#sorted = [...new Set(texts)].sort(compareTexts)
    this.#prefixes = new Int32Array(this.#sorted.length)
    this.#longest = this.#sorted.reduce((max, { length }) => Math.max(max, length), 0)
    for (const [i, text] of this.#sorted.entries()) {
      this.#pairs[pairAt(text, 0)] = 1
      let prefix = i - 1
      while (prefix >= 0 && !text.startsWith(this.#sorted[prefix]!)) prefix = this.#prefixes[prefix]!
      this.#prefixes[i] = prefix
    }
  }

  /** The longest occurrence at each place; they may overlap. */
  *spansIn(text: string): Generator<Span> {
    if (this.#sorted.length === 0) return
    for (let at = 0; at < text.length - 1; at++) {
      const length = this.#pairs[pairAt(text, at)] === 1 ? this.#lengthAt(text, at) : 0
      if (length > 0) yield [at, at + length]
    }
  }

  #lengthAt(text: string, at: number): number {
    const rest = text.slice(at, at + this.#longest)
    let [low, high] = [0, this.#sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#sorted[middle]! <= rest) low = middle + 1
      else high = middle
    }
    // A prefix of the text is directly before it in sorted order, or is a prefix of the text that is.
    let found = low - 1
    while (found >= 0 && !rest.startsWith(this.#sorted[found]!)) found = this.#prefixes[found]!
    return found < 0 ? 0 : this.#sorted[found]!.length
  }
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) & 0xff_ff
}
