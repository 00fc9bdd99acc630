import { omitUndefined } from '../../shared/json.ts'
import { posix } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { decodeText } from '../../markup/charset.ts'
import { showLinks } from '../../markup/links.ts'
import { parseVisiblePage } from '../../markup/page.ts'
import { documentError } from './document-error.ts'
import { cleanText, DocumentText, oneLine } from './document-text.ts'
import { addHtmlBlocks } from './html-blocks.ts'
import { parseIsoDay, smallPart } from './properties.ts'
import type { Parsed, ZipSource } from './source.ts'
import { readXml, unpacked } from './xml.ts'
import type { ZipEntry } from './zip.ts'

/** Elements that XHTML may close at once, which HTML would leave open. */
const CLOSED_AT_ONCE = /<(title|script|style|iframe|textarea|a|span|div|p|i|b|em|strong|td|th)\b([^<>]*)\/>/gi

/** A book: its chapters in their order. @see EPUB 3.3, 4.2.6.3 and 5 */
export async function parseEpub({ name, entries, limits }: ZipSource): Promise<Parsed> {
  if (/CipherReference[^>]*\.x?html?["']/i.test(smallPart(entries, 'META-INF/encryption.xml') ?? '')) {
    throw documentError(`${name} is protected against copying, so it cannot be read.`)
  }
  const parts = new Map(entries.map((entry) => [entry.name, entry]))
  let path = ''
  const container = parts.get('META-INF/container.xml')
  if (container !== undefined) {
    await readXml(container, {
      open(element, attributes) {
        if (element === 'rootfile') path ||= attributes['full-path'] ?? ''
      },
    })
  }
  const book = parts.get(path)
  if (book === undefined) throw documentError(`${name} has no list of its chapters; save it again and add that.`)
  const { chapters, title, date } = await readPackage(book)
  const text = new DocumentText(name, limits.characters)
  const missing: string[] = []
  for (const chapter of chapters) {
    const entry = parts.get(chapter)
    if (entry === undefined) missing.push(chapter)
    else addHtmlBlocks(text, await rootOf(name, entry))
  }
  const heading = title ?? text.firstHeading
  return {
    text: text.text(),
    blocks: text.blocks,
    ...omitUndefined({ title: heading, date }),
    notes: missing.length === 0 ? [] : [`${missing.length} of ${chapters.length} chapters are not in the file.`],
  }
}

interface Book {
  /** Paths of the parts that are read, in their order. */
  readonly chapters: readonly string[]
  readonly title?: string
  readonly date?: string
}

async function readPackage(entry: ZipEntry): Promise<Book> {
  const files = new Map<string, string>()
  const order: string[] = []
  const metadata: Record<'title' | 'date', string> = { title: '', date: '' }
  let saying: 'title' | 'date' | undefined
  await readXml(entry, {
    open(name, { id = '', href = '', idref = '', 'media-type': type = '' }) {
      if (name === 'item' && /html/.test(type)) {
        files.set(id, posix.join(posix.dirname(entry.name), decodeURIComponent(href)))
      } else if (name === 'itemref') order.push(idref)
      else if ((name === 'title' || name === 'date') && metadata[name] === '') saying = name
    },
    text(piece) {
      if (saying !== undefined) metadata[saying] += piece
    },
    close() {
      saying = undefined
    },
  })
  const title = oneLine(metadata.title)
  const date = parseIsoDay(metadata.date)
  return {
    // Each once: a list of thousands that all name one would be endless.
    chapters: [...new Set(order.flatMap((id) => files.get(id) ?? []))],
    ...(title === '' ? {} : { title }),
    ...omitUndefined({ date }),
  }
}

async function rootOf(name: string, { method, data }: ZipEntry): Promise<unknown> {
  const xhtml = decodeText(await buffer(unpacked(method, data)), { isPage: true })?.text
  if (xhtml === undefined) {
    throw documentError(`${name} has a chapter with an unknown encoding; save it as UTF-8 and add that.`)
  }
  const { documentElement } = parseVisiblePage(cleanText(xhtml).replaceAll(CLOSED_AT_ONCE, '<$1$2></$1>'))
  showLinks(documentElement)
  return documentElement
}
