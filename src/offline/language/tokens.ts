import { ruleText } from '../../shared/rule-text.ts'
import { wordForms } from '../../databases/glossary/words.ts'

/** A piece of a question. */
export interface Token {
  readonly kind: 'word' | 'number' | 'quoted' | 'mark'
  readonly text: string
  readonly lower: string
  /** Place in the text. */
  readonly start: number
  readonly end: number
  /** The base forms that a word may mean. */
  readonly forms: ReadonlySet<string>
  /** Digits and number words. */
  readonly value?: number
}

const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

const PIECES =
  /["“„](?<quoted>[^"“”„]{1,100})["”]|[$€£]?(?<number>\d[\d,]*(?:\.\d+)?|\.\d+)(?![\p{L}\d/%-])|(?<own>['’]s)(?!\p{L})|(?<word>[\p{L}\p{N}][^\s,;:?!()"“”„=<>]*)|(?<mark>[,;:?]|!(?!=))|[^\s.()"“”„'’]/gu

/** Cuts a question into words, numbers, quoted texts and marks. Reads the first 4,000 characters. */
export function tokensOf(text: string): readonly Token[] {
  return [...ruleText(text).matchAll(PIECES)].flatMap(({ 0: whole, index, groups = {} }) => {
    const { quoted, number, own, word, mark } = groups
    if (quoted !== undefined) return [token('quoted', quoted.trim(), index, whole.length)]
    if (number !== undefined) {
      const plain = number.replace(/,$/, '')
      if (/^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/.test(plain)) {
        const length = whole.length - number.length + plain.length
        return [token('number', plain, index, length, Number(plain.replaceAll(',', '')))]
      }
    }
    if (own !== undefined || mark !== undefined) return [token('mark', own ?? mark ?? '', index, whole.length)]
    return wordTokens(word ?? whole, index)
  })
}

/** “Anna's.” is “Anna” and “'s”. */
function wordTokens(raw: string, start: number): readonly Token[] {
  const text = raw.replace(/[.'’]$/, '')
  const owner = /^(.+)['’]s$/u.exec(text)?.[1]
  if (owner === undefined) {
    const value = NUMBER_WORDS.indexOf(text.toLowerCase())
    return [token('word', text, start, text.length, value < 0 ? undefined : value)]
  }
  return [token('word', owner, start, owner.length), token('mark', "'s", start + owner.length, 2)]
}

function token(kind: Token['kind'], text: string, start: number, length: number, value?: number): Token {
  const lower = text.toLowerCase()
  const base = {
    kind,
    text,
    lower,
    start,
    end: start + length,
    forms: kind === 'word' ? wordForms(lower) : new Set<string>(),
  }
  return value === undefined ? base : { ...base, value }
}
