/** An entry of the search index: link, page, heading, and the text below the heading. */
export type Entry = readonly [to: string, title: string, heading: string, text: string]

const MAX_HITS = 12
/** Characters shown on each side of a match. */
const AROUND = 70

/** Finds sections of the guide. Rare words count more than common ones, and headings more than text. */
export function searchGuide(query: string, entries: readonly Entry[]) {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? [])]
  const values = entries.map(() => 0)
  for (const word of words) {
    const found = entries.map((entry) => matchOf(word, entry))
    const rarity = Math.log(entries.length / found.filter((one) => one > 0).length)
    for (const [at, value] of found.entries()) values[at]! += value === 0 ? 0 : rarity * value
  }
  return entries
    .map((entry, at) => ({ entry, value: values[at]! }))
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value)
    .slice(0, MAX_HITS)
    .map(({ entry: [to, title, heading, text] }) => ({ to, title, heading, ...excerpt(text, words) }))
}

function matchOf(word: string, [, title, heading, text]: Entry): number {
  if (wordPosition(heading, word) >= 0) return 3
  // A page with this title comes before its sections.
  if (wordPosition(title, word) >= 0) return heading === '' ? 4 : 2
  return wordPosition(text, word) >= 0 ? 1 : 0
}

/** Position of the first word with this prefix. */
function wordPosition(text: string, word: string): number {
  const low = text.toLowerCase()
  for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(low[at - 1]!)) return at
  }
  return -1
}

/** An excerpt around the longest word that is in the text. */
function excerpt(text: string, words: readonly string[]) {
  const byLength = words.toSorted((a, b) => b.length - a.length)
  const word = byLength.find((one) => wordPosition(text, one) >= 0) ?? ''
  const at = word === '' ? 0 : wordPosition(text, word)
  const [from, until] = [Math.max(0, at - AROUND), at + word.length]
  return {
    before: `${from > 0 ? '…' : ''}${text.slice(from, at)}`,
    hit: text.slice(at, until),
    after: `${text.slice(until, until + AROUND)}${until + AROUND < text.length ? '…' : ''}`,
  }
}
