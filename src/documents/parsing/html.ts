import { omitUndefined } from '../../shared/json.ts'
import { showLinks } from '../../markup/links.ts'
import { parseVisiblePage } from '../../markup/page.ts'
import { DocumentText, oneLine } from './document-text.ts'
import { addHtmlBlocks } from './html-blocks.ts'
import { parseIsoDay } from './properties.ts'
import type { Parsed, Source } from './source.ts'
import { readTextFile } from './text-input.ts'

/**
 * Parses the readable text of a web page, without scripts, styles, navigation and hidden text.
 */
export function parseHtml(source: Source): Parsed {
  const { name, limits } = source
  // Allow more characters than the text limit, since markup takes up space.
  const { text: input, notes } = readTextFile(
    { ...source, limits: { ...limits, characters: limits.characters * 2 } },
    true,
  )
  const document = parseVisiblePage(input)
  showLinks(document)
  const text = new DocumentText(name, limits.characters)
  // Read the whole document, since pages may omit tags or misplace content outside the body.
  addHtmlBlocks(text, document.documentElement)
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
    notes,
  }
}
