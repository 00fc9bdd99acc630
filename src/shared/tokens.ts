/**
 * Words of questions that do not describe their subject. Shorter than the stop words of a search index, in which an
 * omitted word could never be found, but with the verbs of requests, which an index must keep.
 */
const ASKING_WORDS: readonly string[] = (
  'a an and any are as at be been by can could do does did for from give get has have how i if in into is it ' +
  'its let me my need of on or our please show list fetch find tell the their them there these they this ' +
  'those to us via want was we were what when where which who whose will with would you your about'
).split(' ')

/** The words of a text: lower case, without accents. */
function plainWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** Words that describe how a question is asked, and words that occur in every API: “call”, “endpoint”, “data”. */
const STOP_WORDS = new Set([
  ...ASKING_WORDS,
  ...(
    'gets given having display return retrieve see all every each some now currently using use call api ' +
    'endpoint request run make that whole entire information info details detail data'
  ).split(' '),
])

/** Splits identifiers too: `listOpen_orders`, `/orders/{orderId}` and "Open orders" share their words. Lower case. */
export function splitWords(text: string): string[] {
  return plainWords(
    text
      .replace(/\b([A-Z]{2,})s\b/g, (plural) => plural.toLowerCase())
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, ' '),
  )
}

/** The words that count, stemmed. */
export function stemmedTokens(text: string): string[] {
  return splitWords(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(stem)
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}

/** Light stemming: plural and the commonest verb endings. Predictable rather than thorough. */
export function stem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(s|x|z|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1')
  if (singular.length > 5) {
    const base = singular.replace(/(ing|ed)$/, '')
    if (base !== singular && base.length >= 3) return base.replace(/([^aeiouls])\1$/, '$1').replace(/e$/, '')
    return singular.replace(/e$/, '')
  }
  return singular.replace(/e$/, '')
}

/** Inverse document frequency as in BM25: rare words tell things apart. */
export function inverseDocumentFrequency(documents: readonly Iterable<string>[]): (token: string) => number {
  const counts = new Map<string, number>()
  for (const document of documents) for (const token of document) counts.set(token, (counts.get(token) ?? 0) + 1)
  return (token) => {
    const count = counts.get(token) ?? 0
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5))
  }
}
