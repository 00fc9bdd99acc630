import { omitUndefined } from '../../shared/json.ts'
import { articleOf } from '../../markup/article.ts'
import { showLinks } from '../../markup/links.ts'
import { parseVisiblePage } from '../../markup/page.ts'
import { DocumentText, oneLine } from './document-text.ts'
import { addHtmlBlocks } from './html-blocks.ts'
import { parseIsoDay } from './properties.ts'
import type { Parsed, Source } from './source.ts'
import { readTextFile } from './text-input.ts'

/**
 * Parses the readable text of a web page, without scripts, styles, navigation, hidden text and the surroundings of an
 * article. Omitted parts are listed in the notes.
 */
export function parseHtml(source: Source): Parsed {
  const { name, limits } = source
  // Allow more characters than the text limit, since markup takes up space.
  const { text: input, notes: doubts } = readTextFile(
    { ...source, limits: { ...limits, characters: limits.characters * 2 } },
    true,
  )
  const document = pageWithLinks(input)
  const page = new DocumentText(name, limits.characters)
  // Read the whole document, since pages may omit tags or misplace content outside the body.
  addHtmlBlocks(page, document.documentElement)
  const { text, dropped } = withoutMenus(page, input, new DocumentText(name, limits.characters))
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
    notes:
      dropped.length === 0
        ? doubts
        : [...doubts, `Omitted, because it is not part of the article: ${dropped.join('; ')}.`],
  }
}

/**
 * Minimum length of an article in characters, and its minimum share of the page. Anything smaller is only a part of the
 * page.
 */
const MIN_LETTERS = 500
const MIN_SHARE = 0.5
/** Minimum length of text that is not navigation. */
const LONG = 200
const MAX_NAMED = 5
/**
 * Maximum length in characters for the search for an article: longer texts have little around them, and the search
 * would take too long.
 */
const MAX_SEARCHED_CHARS = 200_000

/**
 * Removes the short paragraphs and lists that Readability does not count to the article. Keeps tables, code and long
 * text, and returns pages without an article unchanged.
 */
function withoutMenus(
  whole: DocumentText,
  page: string,
  text: DocumentText,
): { readonly text: DocumentText; readonly dropped: readonly string[] } {
  const all = whole.text()
  if (all.length > MAX_SEARCHED_CHARS) return { text: whole, dropped: [] }
  const content = articleOf<{ textContent: string | null }>(pageWithLinks(page) as never)?.content.textContent ?? ''
  const article = letters(content)
  if (article.length < Math.max(MIN_LETTERS, letters(all).length * MIN_SHARE)) return { text: whole, dropped: [] }
  const dropped: string[] = []
  for (const { kind, start, end, level } of whole.blocks) {
    const own = all.slice(start, end)
    const isShort = kind === 'list' || ((kind === 'paragraph' || kind === 'heading') && own.length < LONG)
    if (isShort && level !== 1 && !article.includes(letters(own))) dropped.push(`“${cut(oneLine(own))}”`)
    else text.add(kind, own, level === undefined ? {} : { level })
  }
  const omitted = dropped.length - MAX_NAMED
  return { text, dropped: omitted > 0 ? [...dropped.slice(0, MAX_NAMED), `and ${omitted} more`] : dropped }
}

function pageWithLinks(html: string): ReturnType<typeof parseVisiblePage> {
  const document = parseVisiblePage(html)
  showLinks(document)
  return document
}

/** Letters and digits of a text, without list markers, which differ. */
function letters(text: string): string {
  return text.replaceAll(/^[^\S\r\n\u2028\u2029]*(?:-|\d+\.) /gm, '').replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text
}
