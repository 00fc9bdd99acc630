import { inflateRawSync } from 'node:zlib'
import { CFB } from '@e965/xlsx'
import type { ZipEntry } from './zip.ts'

/** Comments, CDATA sections and processing instructions. */
const HIDDEN = /<!--[^]*?-->|<!\[CDATA\[([^]*?)\]\]>|<\?(?!xml\s)[^]*?\?>/g
const LINK = /<(?:\w+:)?hyperlink\s[^<>]*>/g
const RANGE = /^([A-Z]{1,3})(\d{1,7})(?::([A-Z]{1,3})(\d{1,7}))?$/
/** Of one link; a link may be on a whole column. */
const MAX_LINKED_CELLS = 10_000
const MAX_LINKED_CELLS_OF_SHEET = 1_000_000

/**
 * The workbook without what misleads the library: it reads cells in comments, CDATA sections and processing
 * instructions, and creates every cell of a link's range.
 */
export function safeWorkbook(bytes: Buffer, entries: readonly ZipEntry[]): Buffer {
  const isSafe = entries.every(({ method, data }) => {
    const text = (method === 0 ? data : inflateRawSync(data)).toString('latin1')
    return safeXml(text) === text
  })
  if (isSafe) return bytes
  const archive = CFB.read(bytes, { type: 'buffer' }) as { readonly FileIndex: { content?: Uint8Array }[] }
  for (const file of archive.FileIndex) {
    // Characters of Latin-1 are the bytes of the file.
    if (file.content !== undefined) {
      file.content = Buffer.from(safeXml(Buffer.from(file.content).toString('latin1')), 'latin1')
    }
  }
  return CFB.write(archive, { fileType: 'zip', type: 'buffer' }) as Buffer
}

function safeXml(xml: string): string {
  let linked = 0
  return xml
    .replace(HIDDEN, (_, text = '') => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    .replace(LINK, (link) => {
      const cells = Math.max(...Array.from(link.matchAll(/ref\s*=\s*["']([^"']*)/g), ([, range = '']) => sizeOf(range)))
      if (cells <= MAX_LINKED_CELLS) linked += cells
      return cells > MAX_LINKED_CELLS || linked > MAX_LINKED_CELLS_OF_SHEET ? '' : link
    })
}

/** Number of cells in a range; infinite if it is not one. */
function sizeOf(range: string): number {
  const [, left, top, right = left, bottom = top] = RANGE.exec(range) ?? []
  if (left === undefined) return Number.POSITIVE_INFINITY
  return (Math.abs(columnNumber(right!) - columnNumber(left)) + 1) * (Math.abs(Number(bottom) - Number(top)) + 1)
}

/** `A` is 1. */
export function columnNumber(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column
}
