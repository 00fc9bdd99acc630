import { omitUndefined } from '../../shared/omit-undefined.ts'
import { articleOf } from '../../markup/article.ts'
import { showLinks } from '../../markup/links.ts'
import { parseVisiblePage } from '../../markup/page.ts'
import { DocumentText, oneLine } from './document-text.ts'
import { addHtmlBlocks } from './html-blocks.ts'
import { parseIsoDay } from './properties.ts'
import type { Parsed, Source } from './source.ts'
import { readTextFile } from './text-input.ts'

/**
 * A web page as it reads: without scripts, styles, navigation, what is hidden, and what stands around an article. What is left
 * out of that is named.
 */
export function parseHtml(source: Source): Parsed {
  const { name, limits } = source
  // Markup takes room as well, so a page may be longer than its text.
  const { text: input, notes: doubts } = readTextFile(
    { ...source, limits: { ...limits, characters: limits.characters * 2 } },
    true,
  )
  const document = pageWithLinks(input)
  const whole = new DocumentText(name, limits.characters)
  // Pages leave out tags and put them in any order; what is around a body is read as well.
  addHtmlBlocks(whole, document.documentElement)
  const { text, leftOut } = withoutMenus(whole, input, new DocumentText(name, limits.characters))
  const title = oneLine(document.querySelector('title')?.textContent ?? '') || text.firstHeading
  const date = parseIsoDay(
    document
      .querySelector('meta[property="article:published_time"], meta[name="dcterms.date"], meta[name="date"]')
      ?.getAttribute('content') ?? undefined,
  )
  return {
    text: text.text(),
    blocks: text.blocks,
    ...omitUndefined({ title, date }),
    notes: leftOut.length === 0 ? doubts : [...doubts, `Left out as no part of the article: ${leftOut.join('; ')}.`],
  }
}

/** The least length of an article, and its least share of the page; anything smaller is some corner of the page. */
const LEAST_LETTERS = 500
const LEAST_SHARE = 0.5
/** What is as long as this is not there to find one's way about. */
const LONG = 200
const MOST_NAMED = 5
/** Characters; around a longer text little else stands, and to look for it could take very long. */
const MOST_SEARCHED = 200_000

/**
 * A page without the short paragraphs and lists that Readability does not count to its article. Tables, code and whatever is long
 * stay, and so does a page that is no article.
 */
function withoutMenus(
  whole: DocumentText,
  page: string,
  text: DocumentText,
): { readonly text: DocumentText; readonly leftOut: readonly string[] } {
  const all = whole.text()
  if (all.length > MOST_SEARCHED) return { text: whole, leftOut: [] }
  const content = articleOf<{ textContent: string | null }>(pageWithLinks(page) as never)?.content.textContent ?? ''
  const article = letters(content)
  if (article.length < Math.max(LEAST_LETTERS, letters(all).length * LEAST_SHARE)) return { text: whole, leftOut: [] }
  const leftOut: string[] = []
  for (const { kind, start, end, level } of whole.blocks) {
    const own = all.slice(start, end)
    const isShort = kind === 'list' || ((kind === 'paragraph' || kind === 'heading') && own.length < LONG)
    if (isShort && level !== 1 && !article.includes(letters(own))) leftOut.push(`“${cut(oneLine(own))}”`)
    else text.add(kind, own, level === undefined ? {} : { level })
  }
  const more = leftOut.length - MOST_NAMED
  return { text, leftOut: more > 0 ? [...leftOut.slice(0, MOST_NAMED), `and ${more} more`] : leftOut }
}

function pageWithLinks(html: string): ReturnType<typeof parseVisiblePage> {
  const document = parseVisiblePage(html)
  showLinks(document)
  return document
}

/** Lists have marks and numbers of their own. */
function letters(text: string): string {
  return text.replaceAll(/^[^\S\r\n\u2028\u2029]*(?:-|\d+\.) /gm, '').replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text
}
