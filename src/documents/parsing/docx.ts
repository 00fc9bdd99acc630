import { omitUndefined } from '../../shared/json.ts'
import { buffer } from 'node:stream/consumers'
import { showLinks } from '../../markup/links.ts'
import { markStruckOut } from '../../markup/strikethrough.ts'
import { markSuperscripts } from '../../markup/superscripts.ts'
import { DocumentText } from './document-text.ts'
import { addHtmlBlocks } from './html-blocks.ts'
import { packageProperties } from './properties.ts'
import type { Parsed, ZipSource } from './source.ts'
import { readXml, unpacked } from './xml.ts'

/** The title of a document is a level above its headings. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  ...[1, 2, 3, 4, 5, 6].map((level) => `p[style-name='heading ${level}'] => h${Math.min(6, level + 1)}:fresh`),
]

/** Parses a Word document through HTML. Pages exist only after layout, so the file has none. */
export async function parseDocx({ name, entries, limits }: ZipSource): Promise<Parsed> {
  const [{ default: mammoth }, { parseHTML }] = await Promise.all([import('mammoth'), import('linkedom')])
  const { value } = await mammoth.convertToHtml(
    // Not part of the type declarations: mammoth accepts an open archive.
    { file: openParts(entries) } as never,
    {
      styleMap: [...STYLES, ...(await characterStyles(entries))],
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      externalFileAccess: false,
    },
  )
  const { document } = parseHTML(`<html><body>${value}</body></html>`)
  // Links from a note back to its mark show an arrow.
  for (const link of document.querySelectorAll('a[href^="#footnote-ref"], a[href^="#endnote-ref"]')) link.remove()
  for (const link of document.querySelectorAll('a[href]')) link.setAttribute('href', targetOf(link))
  markSuperscripts(document.body)
  markStruckOut(document.body)
  showLinks(document.body)
  const text = new DocumentText(name, limits.characters)
  addHtmlBlocks(text, document.body, value.includes('<h1') ? 0 : 1)
  const { title = text.firstHeading, date } = packageProperties(entries)
  return {
    text: text.text(),
    blocks: text.blocks,
    ...omitUndefined({ title, date }),
    notes: [],
  }
}

/** The target of a link field. mammoth returns the options after it as well: `https://a.example" \\l "section" \\t "_blank`. */
function targetOf(link: { getAttribute(name: string): string | null }): string {
  const [target = '', option = '', value = ''] = (link.getAttribute('href') ?? '').split('"')
  return option.trim() === '\\l' ? `${target}#${value}` : target
}

/** Elements around text that mammoth does not read: simple fields, text direction, and text with a reading above it. */
const UNREAD_ELEMENTS = /<\/?w:(?:fldSimple|bdo|dir|ruby|rubyBase)(?=[\s>])(?:"[^"]*"|[^">])*>/g

/** The parts of the file, in elements that mammoth knows: double strikethrough is single, and readings are deleted text. */
function openParts(entries: ZipSource['entries']) {
  const parts = new Map(entries.map((entry) => [entry.name, entry]))
  return {
    exists: (path: string) => parts.has(path),
    read: async (path: string, encoding?: BufferEncoding) => {
      const { method, data } = parts.get(path)!
      const bytes = await buffer(unpacked(method, data))
      if (encoding === undefined) return bytes
      return bytes
        .toString(encoding)
        .replaceAll('<w:dstrike', '<w:strike')
        .replaceAll(/(<\/?w:)rt>/g, '$1del>')
        .replaceAll(UNREAD_ELEMENTS, '')
    },
  }
}

/** Character styles that raise, lower or strike out text, as rules for mammoth, which knows this only of a run's own formatting. */
async function characterStyles(entries: ZipSource['entries']): Promise<string[]> {
  const styles = entries.find(({ name }) => name === 'word/styles.xml')
  const rules: string[] = []
  if (styles === undefined) return rules
  let id: string | undefined
  await readXml(styles, {
    open(name, { type, styleId, val }) {
      if (name === 'style') id = type === 'character' && /^\w+$/.test(styleId ?? '') ? styleId : undefined
      else if (id === undefined) return
      else if (name === 'vertAlign' && val === 'superscript') rules.push(`r.${id} => sup`)
      else if (name === 'vertAlign' && val === 'subscript') rules.push(`r.${id} => sub`)
      else if (/^d?strike$/.test(name) && val !== '0' && val !== 'false') rules.push(`r.${id} => s`)
    },
  })
  return rules
}
