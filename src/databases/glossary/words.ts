import { ABBREVIATIONS, AFFIXES, VOCABULARY } from './vocabulary.ts'

/** Forms that no suffix rule finds. */
const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  persons: 'person',
  children: 'child',
  men: 'man',
  women: 'woman',
  pence: 'penny',
  media: 'medium',
  sold: 'sell',
  bought: 'buy',
  spent: 'spend',
  made: 'make',
  paid: 'pay',
  wrote: 'write',
  written: 'write',
  sung: 'sing',
  held: 'hold',
  brought: 'bring',
  took: 'take',
  taken: 'take',
  taught: 'teach',
  monthly: 'month',
  yearly: 'year',
  representative: 'rep',
  came: 'come',
  born: 'birth',
  birthday: 'birth',
  got: 'get',
  has: 'have',
  had: 'have',
  belonging: 'belong',
}

/**
 * The possible base forms of a word: `cities` → cities, citie, city. Two words match if they share a form. Several
 * guesses are safer than one stemmer, whose mistakes would be silent.
 */
export function wordForms(word: string): ReadonlySet<string> {
  const lower = word.toLowerCase()
  const found = new Set([lower])
  const add = (form: string): void => {
    if (form.length >= 3) found.add(form)
  }
  const irregular = IRREGULAR[lower]
  if (irregular !== undefined) add(irregular)
  if (lower.length <= 3) return found
  if (lower.endsWith('ies')) add(`${lower.slice(0, -3)}y`)
  if (/(s|x|z|ch|sh)es$/.test(lower)) add(lower.slice(0, -2))
  if (lower.endsWith('s') && !/(ss|us|is)$/.test(lower)) add(lower.slice(0, -1))
  if (lower.endsWith('ied')) add(`${lower.slice(0, -3)}y`)
  else if (lower.endsWith('ed')) addVerbStem(lower.slice(0, -2), add)
  if (lower.endsWith('ing') && lower.length > 5) addVerbStem(lower.slice(0, -3), add)
  return found
}

function addVerbStem(stem: string, add: (form: string) => void): void {
  add(stem)
  add(`${stem}e`)
  if (/([bdgklmnprt])\1$/.test(stem)) add(stem.slice(0, -1))
}

/** Do two words share a base form? No rule changes the first letter, which settles most pairs at once. */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true
  if (a[0]?.toLowerCase() !== b[0]?.toLowerCase()) return false
  const formsOfA = wordForms(a)
  for (const form of wordForms(b)) if (formsOfA.has(form)) return true
  return false
}

/** Do two names say the same, word by word? */
export function areSameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, i) => isSameWord(word, b[i] ?? ''))
}

/** The plain singular of one word, for use in sentences: `invoices` → `invoice`. */
export function singular(word: string): string {
  const irregular = IRREGULAR[word]
  if (irregular !== undefined && /^(people|children|men|women|pence)$/.test(word)) return irregular
  if (/(series|species|news|status|address|media)$/.test(word)) return word
  if (word.endsWith('movies')) return word.slice(0, -1)
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ss|x|ch|sh)es$/.test(word) || /(us)es$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('s') && !/(ss|us|is)$/.test(word) && word.length > 3) return word.slice(0, -1)
  return word
}

/** The plain plural of one word, for use in sentences. */
export function plural(word: string): string {
  if (singular(word) !== word) return word
  if (/(series|species|news|staff|media)$/.test(word)) return word
  if (word === 'penny') return 'pence'
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
}

/**
 * The words in a name: `InvoiceLine` → invoice line; `tbl_cust` → customer; `unitprice` → unit price. Prefixes such as
 * `tbl_` and `dim_` are dropped, well-known abbreviations are written out.
 */
export function nameWords(name: string, known: ReadonlySet<string> = VOCABULARY): readonly string[] {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  const nameParts = parts.filter(
    (part, i) => !(parts.length > 1 && (i === 0 || i === parts.length - 1) && AFFIXES.has(part)),
  )
  return (nameParts.length > 0 ? nameParts : parts).flatMap((part) => splitFused(part, known))
}

/** An abbreviation written out, also in the plural: `accts`. */
function writtenOut(part: string): string | undefined {
  const short = [...wordForms(part)].find((form) => Object.hasOwn(ABBREVIATIONS, form))
  return short === undefined ? undefined : ABBREVIATIONS[short]
}

function splitFused(part: string, known: ReadonlySet<string>): readonly string[] {
  const written = writtenOut(part)
  if (written !== undefined) return written.split(' ')
  if ([...wordForms(part)].some((form) => known.has(form))) return [part]
  const isWord = (w: string): boolean =>
    [...wordForms(w)].some((form) => known.has(form)) || writtenOut(w) !== undefined
  for (let cut = part.length - 2; cut >= 2; cut--) {
    const [head, tail] = [part.slice(0, cut), part.slice(cut)]
    if (isWord(head) && (tail === 'id' || isWord(tail)))
      return [head, tail].flatMap((w) => (writtenOut(w) ?? w).split(' '))
  }
  return [part]
}
