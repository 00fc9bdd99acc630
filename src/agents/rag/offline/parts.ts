import { pageAt } from '../../../knowledge/chunking/pages.ts'
import { sentencesOf } from '../../../knowledge/chunking/sentences.ts'
import { ENGLISH, type Words } from '../../../knowledge/search/languages.ts'
import type { HitInContext } from '../../../knowledge/search/neighbours.ts'

export interface Sentence {
  readonly text: string
  /** Where it begins in the passage, and on which page. */
  readonly at: number
  readonly page?: number | undefined
  readonly terms: ReadonlySet<string>
}

const LONGEST_TITLE = 80

/** Stands on a line of its own: an item of a list, a row of a table. */
export const LINE = /^(?:[-•*]|\d+[.)])\s|\|/

/** Sentences of prose, lines of lists, rows of tables. The heading, by which the passage is called already, is left out. */
export function partsOf(chunk: HitInContext['chunk'], words: Words = ENGLISH): Sentence[] {
  const headings = new Set((chunk.section ?? '').split(' › '))
  let from = 0
  const lines = chunk.text.split('\n').flatMap((line): Line[] => {
    const bare = line.replace(/^\s*(?:#{1,6}\s+)?/, '').trimEnd()
    const at = from + line.indexOf(bare)
    from += line.length + 1
    if (bare === '' || headings.has(bare)) return []
    return [{ text: bare, at, page: pageAt(chunk, chunk.start + at).page }]
  })
  const parts = chunk.kind === 'table' ? lines : joined(lines).flatMap(sentences)
  return parts.map((part) => ({ ...part, terms: new Set(words.terms(part.text)) }))
}

type Line = Omit<Sentence, 'terms'>

/** The sentences of lines that belong together, each with the place of the line that it begins in. */
function sentences(lines: readonly Line[]): Line[] {
  const ends: number[] = []
  for (const { text } of lines) ends.push((ends.at(-1) ?? -1) + text.length + 1)
  const paragraph = lines.map(({ text }) => text).join(' ')
  return [...sentencesOf(paragraph)].map(({ start, end }) => {
    const n = ends.findIndex((one) => start < one)
    const { text, ...line } = lines[n]!
    return { ...line, at: line.at + start - (ends[n]! - text.length), text: paragraph.slice(start, end) }
  })
}

/**
 * Lines that only a page was too narrow for belong to one sentence, also where it goes on overleaf; those of lists and tables
 * stand for themselves.
 */
function joined(lines: readonly Line[]): Line[][] {
  const paragraphs: Line[][] = []
  for (const line of lines) {
    const open = paragraphs.at(-1)
    const before = open?.map(({ text }) => text).join(' ') ?? ''
    const isBroken =
      open !== undefined && !/[.!?:;|]$/.test(before) && (!LINE.test(line.text) || /^\d+\.\s/.test(line.text))
    const isNewPage = open !== undefined && open.at(-1)!.page !== line.page && !/^\p{Ll}/u.test(line.text)
    if (isBroken && before.length > 60 && !isNewPage) open.push(line)
    else paragraphs.push([line])
  }
  return paragraphs
}

/** What stands alone above the text of a document, by its id: its title, though it was not set as a heading. */
export function openingLineOf({ chunk, document }: HitInContext): readonly [string, string][] {
  if (chunk.ordinal !== 0 || chunk.kind === 'table') return []
  const [first, next] = partsOf(chunk)
  const isTitle = next !== undefined && first!.text.length <= LONGEST_TITLE && !/[.!?:;,|]$/.test(first!.text)
  return isTitle && !LINE.test(first!.text) ? [[document.documentId, first!.text]] : []
}

/** A first row names the columns, unless a cell of it is a figure without a word: “2025 Actual” is a name. */
export function columnsOf({ chunk }: HitInContext): string | undefined {
  const first = partsOf(chunk).find(({ text }) => text.includes('|'))?.text
  return first === undefined || first.split('|').some((cell) => /\d/.test(cell) && !/\p{L}/u.test(cell))
    ? undefined
    : first
}
