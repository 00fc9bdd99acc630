import { omitUndefined } from '../../shared/json.ts'
import { withTarget } from '../../markup/links.ts'
import { documentError } from './document-error.ts'
import { DocumentText, oneLine, tooLong } from './document-text.ts'
import { sortByReadingOrder } from './pdf-columns.ts'
import { withGrids } from './pdf-grid.ts'
import { readDrawing } from './pdf-glyphs.ts'
import { groupRows, type Line, lineOf, lineText, type TextItem, usualSize } from './pdf-lines.ts'
import { blocksOf, settingOf } from './pdf-paragraphs.ts'
import { parseIsoDay } from './properties.ts'
import type { Parsed, Source } from './source.ts'

/** Where a whole file has its end mark. */
const END_BYTES = 4096

/** Parses a PDF with page numbers. Text is assembled from its positions on the page. */
export async function parsePdf({ name, bytes, limits }: Source): Promise<Parsed> {
  if (!bytes.subarray(-END_BYTES).includes('%%EOF')) throw cutOff(name)
  const { getDocumentProxy } = await import('unpdf')
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 }).catch((thrown: unknown) => {
    throw openError(name, thrown)
  })
  const unread: number[] = []
  const pages: (readonly Line[])[] = []
  let remaining = limits.characters
  for (let number = 1; number <= pdf.numPages; number++) {
    // What fails here is the page; what fails after it are we.
    const content = await contentOf(pdf, number).catch(() => undefined)
    if (content === undefined) unread.push(number)
    const page = content === undefined ? [] : linesOf(content)
    remaining -= page.reduce((sum, line) => sum + lineText(line).length, 0)
    pages.push(page)
    if (remaining < 0) throw tooLong(name, limits.characters)
  }
  const text = textOf(name, pages, limits.characters)
  if (text.isEmpty) {
    throw documentError(
      `${name} has no text, only pictures of it; run it through text recognition (OCR) and add what comes out.`,
    )
  }
  const { info } = (await pdf.getMetadata().catch(() => undefined)) ?? {}
  const { Title, CreationDate, ModDate } = (info ?? {}) as Readonly<Record<string, unknown>>
  const title = oneLine(asText(Title)) || text.firstHeading
  const date = parseIsoDay(asText(ModDate)) ?? parseIsoDay(asText(CreationDate))
  return {
    text: text.text(),
    blocks: text.blocks,
    pages: pdf.numPages,
    ...omitUndefined({ title, date }),
    notes: notesOf(pages, unread),
  }
}

type Pdf = Awaited<ReturnType<(typeof import('unpdf'))['getDocumentProxy']>>

async function contentOf(pdf: Pdf, number: number) {
  const page = await pdf.getPage(number)
  const { items, styles } = await page.getTextContent()
  const texts = items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : []))
  const isPlain = texts.every(({ dir, fontName }) => dir === 'ltr' && styles[fontName]?.vertical !== true)
  const drawing = isPlain ? await drawingOf(page) : undefined
  const annotations = (await page.getAnnotations()) as Link[]
  const links = annotations.filter(({ url }) => url !== undefined).slice(0, MAX_LINKS)
  page.cleanup()
  return { texts, drawing, links }
}

/** Of a page; each is looked for among all texts. */
const MAX_LINKS = 500

interface Link {
  readonly url?: string
  readonly overlaidText?: string
  readonly rect: readonly number[]
}

async function drawingOf(page: Awaited<ReturnType<Pdf['getPage']>>): Promise<ReturnType<typeof readDrawing>> {
  const { getResolvedPDFJS } = await import('unpdf')
  // PDF.js needs it for what a page draws, and Node.js 20 does not have it.
  if (!('transferToFixedLength' in ArrayBuffer.prototype)) {
    const transferToFixedLength = function (this: ArrayBuffer, length = this.byteLength): ArrayBuffer {
      return this.slice(0, length)
    }
    // oxlint-disable-next-line no-extend-native -- as the standard defines it
    Object.defineProperty(ArrayBuffer.prototype, 'transferToFixedLength', { value: transferToFixedLength })
  }
  const { OPS } = await getResolvedPDFJS()
  return readDrawing(await page.getOperatorList(), OPS)
}

/** Of the size of letters: how far a text drawn again for bold is from the first. */
const MAX_BOLD_OFFSET = 0.1

/** Vertical text is read, too, as separate lines at the end of the page. */
function linesOf({ texts, drawing, links }: Awaited<ReturnType<typeof contentOf>>): readonly Line[] {
  const upright: TextItem[] = []
  const turned: TextItem[] = []
  /** Where each text was drawn last. */
  const drawn = new Map<string, { readonly x: number; readonly y: number }>()
  for (const { str, transform, width } of texts) {
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = transform as readonly number[]
    const size = Math.hypot(c, d)
    if (!Number.isFinite(x + y + size) || size === 0) continue
    // Programs draw text twice, a little apart, to make it bold.
    const before = drawn.get(str)
    if (before !== undefined && Math.hypot(before.x - x, before.y - y) < MAX_BOLD_OFFSET * size) continue
    drawn.set(str, { x, y })
    if (Math.abs(b) <= Math.abs(a) * 0.1) upright.push({ text: str, x, y, width, size })
    else turned.push({ text: str, x: 0, y: -1e6 - turned.length * 1000, width, size })
  }
  const linked = withTargets(drawing?.items ?? upright, links)
  const items = [...(drawing === undefined ? linked : withGrids(linked, drawing.rules)), ...turned]
  return sortByReadingOrder(groupRows(items)).map(lineOf)
}

/** Texts with the addresses of the links that lie over them. */
function withTargets(items: readonly TextItem[], links: readonly Link[]): readonly TextItem[] {
  return links.reduce(
    (all: readonly TextItem[], { url = '', overlaidText = '', rect: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }) => {
      const text = overlaidText.trim()
      const at = all.findIndex(({ text: own, x, y, width }) => {
        return y >= y0 - 1 && y <= y1 && x < x1 && x + width > x0 && text !== '' && own.includes(text)
      })
      return at < 0
        ? all
        : all.with(at, { ...all[at]!, text: all[at]!.text.replace(text, () => withTarget(text, url)) })
    },
    items,
  )
}

function textOf(name: string, pages: readonly (readonly Line[])[], maxCharacters: number): DocumentText {
  const all = pages.flat()
  const setting = settingOf(all, usualSize(all.map((line) => ({ text: lineText(line), size: line.size }))))
  const text = new DocumentText(name, maxCharacters)
  for (const [i, lines] of pages.entries()) {
    for (const { kind, text: own, level } of blocksOf(lines, setting)) {
      text.add(kind, own, { page: i + 1, ...omitUndefined({ level }) })
    }
  }
  return text
}

function notesOf(pages: readonly (readonly Line[])[], unread: readonly number[]): string[] {
  const empty = pages.flatMap((lines, i) => (lines.length === 0 && !unread.includes(i + 1) ? [i + 1] : []))
  const doubtful = pages.flatMap((lines, i) => (isDoubtful(lines) ? [i + 1] : []))
  return [
    ...(doubtful.length === 0
      ? []
      : [`${pagesInWords(doubtful)} set in columns or tables whose order is doubtful; check it in the file.`]),
    ...(empty.length === 0
      ? []
      : [`${pagesInWords(empty)} without text; if it is a scan, it needs text recognition (OCR).`]),
    ...(unread.length === 0 ? [] : [`${pagesInWords(unread)} damaged and could not be read.`]),
  ]
}

const MAX_NAMED = 10

/** Texts side by side that are neither columns nor short cells: sentences of the two may be mixed. */
function isDoubtful(lines: readonly Line[]): boolean {
  const mixed = lines.filter(({ cells }) => cells.filter(({ text }) => text.length >= LONG_CELL).length > 1)
  return mixed.length >= 4 && mixed.length >= lines.length / 4
}

const LONG_CELL = 25

function pagesInWords(numbers: readonly number[]): string {
  if (numbers.length === 1) return `Page ${numbers[0]} is`
  const pageList = numbers.slice(0, MAX_NAMED).join(', ')
  return `Pages ${pageList}${numbers.length > MAX_NAMED ? ` and ${numbers.length - MAX_NAMED} more` : ''} are`
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function openError(name: string, thrown: unknown): Error {
  if (thrown instanceof Error && thrown.name === 'PasswordException') {
    return documentError(`${name} is protected by a password; save it without one and add that.`, thrown)
  }
  return cutOff(name, thrown)
}

function cutOff(name: string, cause?: unknown): Error {
  return documentError(`${name} is damaged or incomplete; save or copy it again and add that.`, cause)
}
