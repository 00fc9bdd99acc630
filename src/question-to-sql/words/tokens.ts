import { exactNumber, type ExactNumber } from '../../core/exact-number.ts'
import { given } from '../../core/given.ts'
import { NUMBER_WORDS } from '../../language/numbers.ts'
import { forms } from '../../terms/words.ts'

export interface Token {
  readonly text: string
  readonly lower: string
  readonly forms: ReadonlySet<string>
  readonly start: number
  readonly end: number
  readonly kind: 'word' | 'number' | 'quoted' | 'comma'
  /** Of a number. */
  readonly value?: ExactNumber
  readonly capital: boolean
}

const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\b(can)'t\b/gi, '$1not'],
  [/\bwon't\b/gi, 'will not'],
  [/\b(\w+)n't\b/gi, '$1 not'],
  [/\b(what|who|which|that|there|where|how|it)'s\b/gi, '$1 is'],
  [/\b(\w+)'(re|ve|ll|d)\b/gi, '$1'],
  [/\b(have|has|had) neither ([\w ]+?) nor\b/gi, '$1 no $2 and no'],
  [/\bneither ([\w ]+?) nor\b/gi, 'not $1 or'],
  [/\bbut no\b/gi, 'and no'],
]

/** Writes curly quotes straight and contractions out, so that one grammar fits all. */
export function normalise(question: string): string {
  let text = question
    .normalize('NFC')
    .replace(/[‘’]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
  for (const [pattern, replacement] of SHORT_FORMS) text = text.replace(pattern, replacement)
  return text
}

const PIECE =
  /"([^"]+)"|(?<=^|[\s(,:=])'([^']+(?:'\w[^']*)?)'(?=$|[\s),.?!:;])|(\d{4}-\d{2}-\d{2}|(?:19|20)\d{2}-(?:0[1-9]|1[0-2]|[Ww]\d\d|[Qq][1-4])(?![\d-]))|([$€£]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\p{L}\d])|(>=|<=|!=|<>|[=<>%])|([\p{L}\p{N}][\p{L}\p{N}_./&+@']*)|([,;:()]|[.!?](?=\s))|(\S)/gu

const SIGNS: Readonly<Record<string, string>> = { $: 'usd', '€': 'eur', '£': 'gbp' }

/** Splits a normalised question into words, numbers, quoted strings and commas. Sentence ends count as commas; the sign of a currency is a word behind its number. */
export function tokenise(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (const match of text.matchAll(PIECE)) {
    const [all, double, single, isoDate, currency = '', digits, operator, word, separator] = match
    const start = match.index
    const end = start + all.length
    const quoted = double ?? single
    if (quoted !== undefined) push(tokens, quoted, start, end, 'quoted')
    else if (isoDate !== undefined) push(tokens, isoDate, start, end, 'word')
    else if (digits !== undefined) {
      push(tokens, digits, start, end, 'number', exactNumber(digits.replaceAll(',', '')))
      const said = SIGNS[currency]
      if (said !== undefined) push(tokens, said, end, end, 'word')
    } else if (operator !== undefined) push(tokens, operator === '%' ? 'percent' : operator, start, end, 'word')
    else if (word !== undefined) pushWord(tokens, word, start)
    else if (separator !== undefined) push(tokens, ',', start, end, 'comma')
    else if (!/[-–—?!.*#"'`]/.test(all)) push(tokens, all, start, end, 'word')
  }
  while (tokens.at(-1)?.kind === 'comma') tokens.pop()
  return tokens
}

function pushWord(tokens: Token[], raw: string, start: number): void {
  const word = raw.replace(/[.?!'/&+@]+$/, '')
  const possessive = /^(.*)'s$/i.exec(word)?.[1]
  const text = possessive ?? word
  const value = NUMBER_WORDS.indexOf(text.toLowerCase())
  if (value >= 0) push(tokens, text, start, start + text.length, 'number', value)
  else push(tokens, text, start, start + text.length, 'word')
  if (possessive !== undefined) push(tokens, "'s", start + text.length, start + word.length, 'word')
}

function push(
  tokens: Token[],
  text: string,
  start: number,
  end: number,
  kind: Token['kind'],
  value?: ExactNumber,
): void {
  const lower = text.toLowerCase()
  const base = { text, lower, forms: kind === 'word' ? forms(lower) : new Set([lower]), start, end, kind }
  tokens.push({ ...base, capital: /^\p{Lu}/u.test(text), ...given({ value }) })
}
