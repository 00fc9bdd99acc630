/** An entry of the search index: link, page, heading, and the text below the heading. */
export type Entry = readonly [to: string, title: string, heading: string, text: string]

interface Hit {
  readonly to: string
  readonly title: string
  readonly heading: string
  /** An excerpt around the first match. */
  readonly before: string
  readonly hit: string
  readonly after: string
}

const MAX_HITS = 12
/** Characters shown on each side of a match. */
const AROUND = 70

/** Stop words. */
const COMMON = new Set(
  'a an and are as at by can do does for from how i in is it my of on or the to what with'.split(' '),
)

/** Finds sections of the guide. Sections with all words come first, and title matches before text matches. */
export function searchGuide(query: string, entries: readonly Entry[]): readonly Hit[] {
  const typed = query.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []
  const telling = typed.filter((word) => !COMMON.has(word))
  const words = (telling.length === 0 ? typed : telling).map(stemOf)
  if (words.length === 0) return []
  const rated = entries.flatMap((entry) => {
    const values = words.map((word) => valueOf(word, entry))
    const has = values.filter((value) => value > 0).length
    // Require at least half of the words.
    if (has * 2 < words.length || has === 0) return []
    return [{ entry, value: has * 100 + values.reduce((sum, value) => sum + value, 0) }]
  })
  return rated
    .toSorted((a, b) => b.value - a.value)
    .slice(0, MAX_HITS)
    .map(({ entry: [to, title, heading, text] }) => ({ to, title, heading, ...excerpt(text, words) }))
}

/** “backups” finds “backup”, too. */
function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|es|s)$/, '') : word
}

function valueOf(word: string, [, title, heading, text]: Entry): number {
  const count = text.toLowerCase().split(word).length - 1
  const scoreName = (name: string, value: number): number => (wordPosition(name, word) >= 0 ? value : 0)
  // A page with this title comes before its sections.
  return scoreName(heading, 30) + scoreName(title, heading === '' ? 35 : 20) + Math.min(5, count)
}

/** Position of the first word with this prefix. */
function wordPosition(text: string, word: string): number {
  const low = text.toLowerCase()
  for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(low[at - 1]!)) return at
  }
  return -1
}

function excerpt(text: string, words: readonly string[]): Pick<Hit, 'before' | 'hit' | 'after'> {
  const [at, word] = words.map((one) => [wordPosition(text, one), one] as const).find(([place]) => place >= 0) ?? [
    0,
    '',
  ]
  const from = Math.max(0, at - AROUND)
  const until = at + word.length
  return {
    before: `${from > 0 ? '…' : ''}${text.slice(from, at)}`,
    hit: text.slice(at, until),
    after: `${text.slice(until, until + AROUND)}${until + AROUND < text.length ? '…' : ''}`,
  }
}
