import { parseHTML } from 'linkedom'
import { DocumentText, oneLine } from './document-text.ts'
import { addHtmlBlocks } from './html-blocks.ts'
import { isoDay } from './properties.ts'
import type { Parsed, Source } from './source.ts'
import { readText } from './text-input.ts'

/** A web page as it reads: without scripts, styles, navigation and what is hidden. */
export function parseHtml(source: Source): Parsed {
  const { name, limits } = source
  // Marks take room as well, so a page may be longer than its text.
  const input = readText({ ...source, limits: { ...limits, characters: limits.characters * 2 } }, true)
  const { document } = parseHTML(/<html[\s>]/i.test(input) ? input : `<html><body>${input}</body></html>`)
  const text = new DocumentText(name, limits.characters)
  // Pages leave out tags and put them in any order; what is around a body is read as well.
  addHtmlBlocks(text, document.documentElement)
  const title = oneLine(document.querySelector('title')?.textContent ?? '') || text.firstHeading
  const date = isoDay(
    document
      .querySelector('meta[property="article:published_time"], meta[name="dcterms.date"], meta[name="date"]')
      ?.getAttribute('content') ?? undefined,
  )
  return {
    text: text.text(),
    blocks: text.blocks,
    ...(title === undefined ? {} : { title }),
    ...(date === undefined ? {} : { date }),
    notes: [],
  }
}
