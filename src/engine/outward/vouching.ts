import { addressOf, urlsIn } from '../../core/urls.ts'

/** What may leave without anybody being asked. */
export interface Vouchers {
  /** The user's own words: the question, the context, what was said with approvals, earlier questions. */
  readonly texts: readonly string[]
  /** Values that may go there as they are, such as what the same place was told before. */
  readonly values: ReadonlySet<string>
}

/**
 * How often the words of one call may jump from one place of the user's texts to another. Each jump is a choice, and with
 * enough choices anything can be spelled; an excerpt of any length is one.
 */
const MOST_JUMPS = 10
/** Yes or no, nothing, and how things are nested: choices that no words show. */
const MOST_CHOICES = 3
const MOST_FUNCTION_WORDS = 3
const FUNCTION_WORDS = new Set('a an and at by for from in of on or the to with'.split(' '))
const DEEPEST = 4

/**
 * The parts of an input that do not come from the user's own words, as texts; none of them may leave unasked. Words are
 * compared whole, as the user wrote them or in lower case, and none may come more often than the user wrote it; so
 * neither letters nor capitals, spaces, marks or repetitions can carry a message. What is left is the choice among the
 * user's own words (docs/safety.md).
 */
export function unvouched(parts: unknown, { texts, values }: Vouchers): readonly string[] {
  const { leaves, choices, tooDeep } = taken(parts)
  const check = new Excerpts(texts)
  const whole = new Set(texts)
  const stray = leaves.filter((leaf) => {
    if (values.has(leaf) || whole.has(leaf)) return !check.jumps()
    // Cut in words, an address would be as good as what it is made of; so it must be one that the user wrote.
    return addressOf(leaf) === undefined ? !check.takes(leaf) : !(isNamed(leaf, texts) && check.jumps())
  })
  return [...stray, ...tooDeep, ...(choices > MOST_CHOICES ? [`${choices} values such as yes and no`] : [])]
}

/** In the one form of addresses, or as the user wrote it. */
function isNamed(url: string, texts: readonly string[]): boolean {
  const address = addressOf(url)!
  return texts.some((text) => urlsIn(text).includes(address) && (url === address || text.includes(url)))
}

interface Taken {
  readonly leaves: readonly string[]
  readonly choices: number
  readonly tooDeep: readonly string[]
}

/** An input taken apart: texts, numbers and names of fields, and the choices that are none of these. */
function taken(parts: unknown): Taken {
  const leaves: string[] = []
  const tooDeep: string[] = []
  let choices = 0
  const visit = (value: unknown, depth: number): void => {
    if (typeof value === 'string' && value !== '') return void leaves.push(value)
    if (typeof value === 'number') return void leaves.push(String(value))
    if (typeof value !== 'object' || value === null) return void choices++
    const inner = Array.isArray(value) ? value : Object.entries(value).flat()
    if (depth > 0 || inner.length === 0) choices++
    if (depth > DEEPEST) return void tooDeep.push(JSON.stringify(value))
    for (const one of inner) visit(one, depth + 1)
  }
  if (parts !== undefined) visit(parts, 0)
  return { leaves, choices, tooDeep }
}

/** A run of letters and digits, with the marks that belong to them. */
const WORD = /[\p{L}\p{M}\p{N}_]+/gu

interface Token {
  readonly word: string
  /** What stands before it, up to the word before. */
  readonly gap: string
}

/** The user's words as something is cut out of them; what one leaf takes, another cannot take again. */
class Excerpts {
  /** By word in lower case: how often it is left, and how the user wrote it. */
  readonly #left = new Map<string, number>()
  readonly #spellings = new Set<string>()
  /** Two words with what stands between them, and words with the marks around them. */
  readonly #places = new Set<string>()
  readonly #functionWords = new Set<string>()
  #jumps = 0

  constructor(texts: readonly string[]) {
    for (const text of texts) this.#learn(text)
  }

  #learn(text: string): void {
    const { tokens, rest } = tokensOf(text)
    const counts = new Map<string, number>()
    const count = (word: string): void => {
      counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
      this.#spellings.add(word)
    }
    for (const [i, { word, gap }] of tokens.entries()) {
      count(word)
      const before = tokens[i - 1]?.word
      if (before !== undefined) this.#places.add(place(before, gap, word))
      for (const mark of suffixesOf(gap)) this.#places.add(place('', mark, word))
      for (const mark of prefixesOf(tokens[i + 1]?.gap ?? rest)) this.#places.add(place(word, mark, ''))
    }
    // 1,200 is also written 1200.
    for (const [number] of text.matchAll(/\d{1,3}(?:[,.' ’]\d{3})+/g)) count(number.replaceAll(/\D/g, ''))
    // The same thing said in two texts was still said once.
    for (const [word, times] of counts) this.#left.set(word, Math.max(times, this.#left.get(word) ?? 0))
  }

  /** Goes to another place of the user's texts; false when that was once too often. */
  jumps(): boolean {
    return ++this.#jumps <= MOST_JUMPS
  }

  /** Whether the text is made of the user's words; if so, they are used up. */
  takes(leaf: string): boolean {
    const { tokens, rest } = tokensOf(leaf)
    if (tokens.length === 0) return false
    if (rest !== '' && !this.#places.has(place(tokens.at(-1)!.word, rest, ''))) return false
    return tokens.every((token, i) => this.#takesWord(token, tokens[i - 1]?.word))
  }

  #takesWord({ word, gap }: Token, before: string | undefined): boolean {
    const lower = word.toLowerCase()
    const left = this.#left.get(lower) ?? 0
    const isSaid = left > 0 && this.#isSpelledSo(word, before === undefined)
    if (!isSaid && !this.#isFunctionWord(word)) return false
    if (before === undefined) {
      if (gap !== '' && !this.#places.has(place('', gap, word))) return false
      if (!this.jumps()) return false
    } else if (!this.#places.has(place(before, gap, word)) && (gap !== ' ' || !this.jumps())) return false
    if (isSaid) this.#left.set(lower, left - 1)
    else this.#functionWords.add(word)
    return true
  }

  #isSpelledSo(word: string, isFirst: boolean): boolean {
    if (this.#spellings.has(word) || word === word.toLowerCase()) return true
    const begins = word[0]!.toUpperCase() + word.slice(1).toLowerCase()
    return isFirst && word === begins
  }

  #isFunctionWord(word: string): boolean {
    return FUNCTION_WORDS.has(word) && !this.#functionWords.has(word) && this.#functionWords.size < MOST_FUNCTION_WORDS
  }
}

function tokensOf(text: string): { readonly tokens: readonly Token[]; readonly rest: string } {
  const tokens: Token[] = []
  let end = 0
  for (const match of text.matchAll(WORD)) {
    tokens.push({ word: match[0], gap: text.slice(end, match.index) })
    end = match.index + match[0].length
  }
  return { tokens, rest: text.slice(end) }
}

function place(before: string, gap: string, after: string): string {
  return JSON.stringify([before.toLowerCase(), gap, after.toLowerCase()])
}

/** Marks right before a word, such as `$` and `(`; spaces before them are none. */
function suffixesOf(gap: string): string[] {
  const marks = /\S*$/.exec(gap)![0]
  return Array.from(marks, (_, i) => marks.slice(i))
}

function prefixesOf(gap: string): string[] {
  const marks = /^\S*/.exec(gap)![0]
  return Array.from(marks, (_, i) => marks.slice(0, i + 1))
}
