import { DocumentText } from './document-text.ts'
import { addHtmlBlocks } from './html-blocks.ts'
import { equationsNote } from './equations.ts'
import { packageProperties } from './properties.ts'
import type { Parsed, ZipSource } from './source.ts'
import { readXml } from './xml.ts'

/** The title of a document stands above its headings of the first level. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  ...[1, 2, 3, 4, 5, 6].map((level) => `p[style-name='heading ${level}'] => h${Math.min(6, level + 1)}:fresh`),
]

/** A Word document by way of HTML. Pages are made when it is laid out, so there are none in the file. */
export async function parseDocx({ name, bytes, entries, limits }: ZipSource): Promise<Parsed> {
  const [{ default: mammoth }, { parseHTML }] = await Promise.all([import('mammoth'), import('linkedom')])
  const { value } = await mammoth.convertToHtml(
    { buffer: bytes },
    {
      styleMap: STYLES,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      externalFileAccess: false,
    },
  )
  const { document } = parseHTML(`<html><body>${value}</body></html>`)
  const text = new DocumentText(name, limits.characters)
  addHtmlBlocks(text, document.body, value.includes('<h1') ? 0 : 1)
  const { title = text.firstHeading, date } = packageProperties(entries)
  return {
    text: text.text(),
    blocks: text.blocks,
    ...(title === undefined ? {} : { title }),
    ...(date === undefined ? {} : { date }),
    notes: equationsNote(await countEquations(entries)),
  }
}

/** How many there are in the text, without those that stand for others in older programs. */
async function countEquations(entries: ZipSource['entries']): Promise<number> {
  let count = 0
  for (const entry of entries.filter(({ name }) => /^word\/document\d*\.xml$/.test(name))) {
    await readXml(entry, { open: (name) => void (count += name === 'oMath' ? 1 : 0) })
  }
  return count
}
