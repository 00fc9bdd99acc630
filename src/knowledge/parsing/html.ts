import { parseHTML } from 'linkedom'
import { cleanText, DocumentText, oneLine, tooLong } from './document-text.ts'
import { decodeText } from './encoding.ts'
import { addHtmlBlocks } from './html-blocks.ts'
import { isoDay } from './properties.ts'
import type { Parsed, Source } from './source.ts'

/** A web page as it reads: without scripts, styles, navigation and what is hidden. */
export function parseHtml({ name, bytes, limits }: Source): Parsed {
  const input = cleanText(decodePage(name, bytes))
  // Marks take room as well, so a page may be longer than its text.
  if (input.length > limits.characters * 2) throw tooLong(name, limits.characters)
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

/** A page may name its encoding in its first bytes. */
function decodePage(name: string, bytes: Buffer): string {
  const [, charset] = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, 1024).toString('latin1')) ?? []
  if (charset !== undefined && !/^utf-?(8|16)/i.test(charset)) {
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytes)
    } catch {
      // No encoding of that name, or not that of the page; it is found out like that of any text.
    }
  }
  return decodeText(name, bytes)
}
