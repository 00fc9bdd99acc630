import { wordSet } from '../../shared/word-set.ts'
import type { Leaving } from '../../domain/tool.ts'
import { normalizeUrl, urlsIn } from '../../shared/urls.ts'

/** Values that may be sent without approval. */
export interface AllowedContent {
  /** The user's own words: the question, the context, instructions given with approvals, earlier questions. */
  readonly texts: readonly string[]
  /** Values that may be sent there unchanged, such as values sent to the same destination before. */
  readonly values: ReadonlySet<string>
}

/**
 * Maximum information that one run may send to one destination by choosing among the user's words, in bits: with enough
 * choices anything can be encoded. Each word counts as in a decodable code, so that a choice costs at least what it
 * carries.
 */
export const MAX_FREE_BITS = 64
/** Listed values, yes or no, nothing, and how things are nested: choices that no words show; for one call. */
const MAX_CHOICES = 3
/** Yes, no, null, an empty text, a list, an object. */
const CHOICE_BITS = Math.log2(6)
/** Whether a path is made of a folder and a name, or is one value. */
const SPLIT_BITS = 1
const MAX_FUNCTION_WORDS = 3
const FUNCTION_WORDS = wordSet('a an and at by for from in of on or the to with')
const MAX_DEPTH = 4

/** The result of weighing a call. */
export interface Weight {
  /** Parts that do not come from the user's own words, as texts; sending any of them needs approval. */
  readonly unknown: readonly string[]
  /** Information carried by the choice of the other parts, in bits. */
  readonly bits: number
}

/**
 * Compares outgoing values with the user's own words. Words are compared whole; a text must be spelled as the user did
 * it or in lower case throughout, and no word may occur more often than the user wrote it. So neither letters nor
 * spaces, punctuation or repetitions can carry a message. Only choices can: which of the words, in which order, which
 * of the values that a destination lists, which of its fields. These are counted in bits, up to `MAX_FREE_BITS`
 * (docs/safety.md).
 * @param spent bits of earlier calls of the run to the same destination
 */
export function weighWords(
  { parts, listed = [], fields = [] }: Pick<Leaving, 'parts' | 'listed' | 'fields'>,
  { texts, values }: AllowedContent,
  spent = 0,
): Weight {
  const { leaves, choices, tooDeep } = splitInput(parts)
  const count = choices + listed.length
  const check = new Excerpts(texts, spent)
  const isFree = check.spend(choices * CHOICE_BITS + bitsOf(listed) + bitsOf(fields))
  const wholeTexts = new Set(texts)
  const among = Math.log2(1 + wholeTexts.size + values.size)
  const mayLeave = (leaf: string): boolean => {
    if (values.has(leaf) || wholeTexts.has(leaf)) return check.spend(among)
    const path = splitPath(leaf)
    if (path.some((part) => values.has(part))) return check.spend(SPLIT_BITS) && path.every(mayLeave)
    // If an address were split into words, any address could be built from the user's words. So the user must have
    // written it.
    return normalizeUrl(leaf) === undefined ? check.takes(leaf) : isNamed(leaf, texts) && check.jumps()
  }
  const unknown = leaves.filter((leaf) => !mayLeave(leaf))
  const tooManyChoices = count > MAX_CHOICES || !isFree ? [`${count + fields.length} values such as yes and no`] : []
  return { unknown: [...unknown, ...tooDeep, ...tooManyChoices], bits: check.spent - spent }
}

/**
 * Folder and name of a path, which carry the same information as the path; empty for other texts. Addresses are compared whole.
 */
function splitPath(leaf: string): readonly string[] {
  const at = normalizeUrl(leaf) === undefined ? leaf.lastIndexOf('/') : -1
  return at > 0 ? [leaf.slice(0, at), leaf.slice(at + 1)] : []
}

function bitsOf(options: readonly number[]): number {
  // One more: whether it is there at all.
  return options.reduce((bits, among) => bits + Math.log2(1 + among), 0)
}

/** Whether the user wrote the address, in normalized form or literally. */
function isNamed(url: string, texts: readonly string[]): boolean {
  const address = normalizeUrl(url)!
  return texts.some((text) => urlsIn(text).includes(address) && (url === address || text.includes(url)))
}

interface SplitInput {
  readonly leaves: readonly string[]
  readonly choices: number
  readonly tooDeep: readonly string[]
}

/** An input split into texts, numbers and field names, and the remaining choices. */
function splitInput(parts: unknown): SplitInput {
  const leaves: string[] = []
  const tooDeep: string[] = []
  let choices = 0
  const visit = (value: unknown, depth: number): void => {
    if (typeof value === 'string' && value !== '') return void leaves.push(value)
    if (typeof value === 'number') return void leaves.push(String(value))
    if (typeof value !== 'object' || value === null) return void choices++
    const inner = Array.isArray(value) ? value : Object.entries(value).flat()
    if (depth > 0) choices++
    if (depth > MAX_DEPTH) return void tooDeep.push(JSON.stringify(value))
    for (const one of inner) visit(one, depth + 1)
  }
  if (parts !== undefined) visit(parts, 0)
  return { leaves, choices, tooDeep }
}

/** A run of letters and digits, with the marks that belong to them. */
const WORD = /[\p{L}\p{M}\p{N}_]+/gu

interface Token {
  readonly word: string
  /** The text before it, back to the previous word. */
  readonly gap: string
}

/** The sequences of the user's words, as written or in lower case. */
class Spelling {
  readonly #change: (text: string) => string
  readonly words = new Set<string>()
  /** Pairs of words with the text between them, and words with the punctuation around them. */
  readonly #places = new Set<string>()
  readonly #after = new Map<string, Set<string>>()

  constructor(change: (text: string) => string) {
    this.#change = change
  }

  learn({ tokens, rest }: Tokens): void {
    for (const [i, { word, gap }] of tokens.entries()) {
      this.words.add(this.#change(word))
      const before = tokens[i - 1]?.word
      if (before !== undefined) this.#add(before, gap, word)
      for (const mark of suffixesOf(gap)) this.#add('', mark, word)
      for (const mark of prefixesOf(tokens[i + 1]?.gap ?? rest)) this.#add(word, mark, '')
    }
  }

  #add(before: string, gap: string, after: string): void {
    const place = JSON.stringify([before, gap, after].map(this.#change))
    this.#places.add(place)
    const from = this.#change(before)
    this.#after.set(from, (this.#after.get(from) ?? new Set()).add(place))
  }

  has(before: string, gap: string, after: string): boolean {
    return this.#places.has(JSON.stringify([before, gap, after]))
  }

  /** In bits: which of all that follows this word, or none of it. */
  choiceAfter(word: string): number {
    return Math.log2(1 + (this.#after.get(word)?.size ?? 0))
  }
}

/** As written, in lower case, or with a capital at the beginning. */
const FORM_BITS = Math.log2(3)

/** The user's words, from which parts are taken; a part that one leaf uses is no longer available to another. */
class Excerpts {
  /** By word in lower case: how often it is left. */
  readonly #left = new Map<string, number>()
  readonly #written = new Spelling((text) => text)
  readonly #lower = new Spelling((text) => text.toLowerCase())
  readonly #functionWords = new Set<string>()
  /** Marks that stand on their own, such as the `.` of “path=.”. */
  readonly #marks = new Set<string>()
  /** Texts not yet indexed; indexing is skipped if nothing needs them. */
  #texts: readonly string[]
  #spent: number

  constructor(texts: readonly string[], spent: number) {
    this.#spent = spent
    this.#texts = texts
  }

  get spent(): number {
    return this.#spent
  }

  #learnAll(): void {
    for (const text of this.#texts) this.#learn(text)
    this.#texts = []
  }

  #learn(text: string): void {
    const all = tokensOf(text)
    for (const piece of text.split(/[\s=:"“”]+/)) if (piece !== '' && piece.search(WORD) < 0) this.#marks.add(piece)
    // 1,200 is also written 1200.
    const numbers = [...text.matchAll(/\d{1,3}(?:[,.' ’]\d{3})+/g)].map(([number]) => number.replaceAll(/\D/g, ''))
    const counts = new Map<string, number>()
    for (const word of [...all.tokens.map((token) => token.word), ...numbers].map((one) => one.toLowerCase()))
      counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const spelling of [this.#written, this.#lower]) {
      spelling.learn(all)
      for (const number of numbers) spelling.words.add(number)
    }
    // A word that occurs in two texts counts as often as in the text with most occurrences.
    for (const [word, times] of counts) this.#left.set(word, Math.max(times, this.#left.get(word) ?? 0))
  }

  /** False when that was too much. */
  spend(bits: number): boolean {
    this.#spent += bits
    return bits === 0 || this.#spent <= MAX_FREE_BITS
  }

  /** Counts a jump to another place in the user's texts. */
  jumps(): boolean {
    this.#learnAll()
    return this.spend(Math.log2(1 + this.#written.words.size + FUNCTION_WORDS.size))
  }

  /** Whether the text is made of the user's words; if so, they are used up. */
  takes(leaf: string): boolean {
    this.#learnAll()
    const { tokens, rest } = tokensOf(leaf)
    const [first] = tokens
    if (first === undefined) return this.#marks.has(leaf) && this.spend(Math.log2(1 + this.#marks.size))
    if (!this.spend(FORM_BITS)) return false
    const spelling = leaf === leaf.toLowerCase() ? this.#lower : this.#written
    if (!spelling.words.has(first.word) && isCapital(first.word))
      tokens[0] = { ...first, word: first.word.toLowerCase() }
    const isTaken = tokens.every((token, i) => this.#takesWord(token, tokens[i - 1]?.word, spelling))
    const last = tokens.at(-1)!.word
    return isTaken && (rest === '' || spelling.has(last, rest, '')) && this.spend(spelling.choiceAfter(last))
  }

  #takesWord({ word, gap }: Token, before: string | undefined, spelling: Spelling): boolean {
    const lower = word.toLowerCase()
    const available = this.#left.get(lower) ?? 0
    const isSaid = available > 0 && spelling.words.has(word)
    if (!isSaid && !this.#isFunctionWord(word)) return false
    if (before === undefined) {
      if (gap !== '' && !spelling.has('', gap, word)) return false
      // How many of the marks before it.
      if (!this.jumps() || !this.spend(gap.length)) return false
    } else {
      if (!this.spend(spelling.choiceAfter(before))) return false
      if (!spelling.has(before, gap, word) && (gap !== ' ' || !this.jumps())) return false
    }
    if (isSaid) this.#left.set(lower, available - 1)
    else this.#functionWords.add(word)
    return true
  }

  #isFunctionWord(word: string): boolean {
    return FUNCTION_WORDS.has(word) && !this.#functionWords.has(word) && this.#functionWords.size < MAX_FUNCTION_WORDS
  }
}

function isCapital(word: string): boolean {
  return word === word[0]!.toUpperCase() + word.slice(1).toLowerCase()
}

interface Tokens {
  readonly tokens: Token[]
  readonly rest: string
}

function tokensOf(text: string): Tokens {
  const tokens: Token[] = []
  let end = 0
  for (const match of text.matchAll(WORD)) {
    tokens.push({ word: match[0], gap: text.slice(end, match.index) })
    end = match.index + match[0].length
  }
  return { tokens, rest: text.slice(end) }
}

/** Punctuation right before a word, such as `$` and `(`, without preceding spaces. */
function suffixesOf(gap: string): string[] {
  const marks = /\S*$/.exec(gap)![0]
  return Array.from(marks, (_, i) => marks.slice(i))
}

function prefixesOf(gap: string): string[] {
  const marks = /^\S*/.exec(gap)![0]
  return Array.from(marks, (_, i) => marks.slice(0, i + 1))
}
