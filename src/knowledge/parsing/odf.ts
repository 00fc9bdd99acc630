import { shifted, type Shift } from '../../core/superscripts.ts'
import { documentError } from './document-error.ts'
import { DocumentText, oneLine, tableRow, tooLong } from './document-text.ts'
import { equationsNote } from './equations.ts'
import { packageProperties, smallPart } from './properties.ts'
import { addSheet, type SheetRow } from './sheet-blocks.ts'
import type { Parsed, ZipSource } from './source.ts'
import { readXml } from './xml.ts'

/** What is no part of the text as it stands: remarks at its edge, what was deleted, how a word is read aloud. */
const LEFT_OUT = new Set(['annotation', 'tracked-changes', 'ruby-text', 'desc', 'forms'])
const MOST_SPACES = 100
const MOST_COLUMNS = 16_384

/**
 * An OpenDocument file. Slides and sheets count as pages. @see OASIS OpenDocument 1.3, part 3
 * @throws TuttiError `DocumentError`
 */
export async function parseOdf(source: ZipSource): Promise<Parsed> {
  const { name, entries, limits } = source
  const content = entries.find((entry) => entry.name === 'content.xml')
  if ((smallPart(entries, 'META-INF/manifest.xml') ?? '').includes('encryption-data')) {
    throw documentError(`${name} is protected by a password; save it without one and add that.`)
  }
  if (content === undefined) throw documentError(`${name} has no content; save it again and add that.`)
  const text = new DocumentText(name, limits.characters)
  const shifts = await shiftsIn(entries.find((entry) => entry.name === 'styles.xml'))
  for (const [style, shift] of await shiftsIn(content)) shifts.set(style, shift)
  const reader = new OdfReader(text, () => tooLong(name, limits.characters), limits.characters, shifts)
  await readXml(content, {
    open: (element, attributes) => reader.open(element, attributes),
    text: (piece) => reader.text(piece),
    close: (element) => reader.close(element),
  })
  const { title = text.firstHeading, date } = packageProperties(entries)
  const formulas = entries.filter(({ name: part }) => /^Object [^/]*\/content\.xml$/.test(part))
  const equations = formulas.filter(({ name: part }) => /<(?:math:)?math\b/.test(smallPart(entries, part) ?? ''))
  return {
    text: text.text(),
    blocks: text.blocks,
    ...(reader.pages === 0 ? {} : { pages: reader.pages }),
    ...(title === undefined ? {} : { title }),
    ...(date === undefined ? {} : { date }),
    notes: equationsNote(equations.length),
  }
}

/** Styles of text that is raised or lowered, by their names. @see OASIS OpenDocument 1.3, part 3, 20.393 */
async function shiftsIn(entry: ZipSource['entries'][number] | undefined): Promise<Map<string, Shift | undefined>> {
  const shifts = new Map<string, Shift | undefined>()
  if (entry === undefined) return shifts
  let style = ''
  await readXml(entry, {
    open(name, attributes) {
      if (name === 'style') {
        style = attributes['family'] === 'text' ? (attributes['name'] ?? '') : ''
        shifts.set(style, shifts.get(attributes['parent-style-name'] ?? ''))
      }
      const position = attributes['text-position']
      if (name === 'text-properties' && position !== undefined) shifts.set(style, shiftOf(position))
    },
  })
  shifts.delete('')
  return shifts
}

function shiftOf(position: string): Shift | undefined {
  const offset = Number.parseInt(position, 10)
  if (position.startsWith('super') || offset > 0) return 'raised'
  return position.startsWith('sub') || offset < 0 ? 'lowered' : undefined
}

type Attributes = Readonly<Record<string, string>>

interface OpenTable {
  readonly name: string
  readonly rows: SheetRow[]
  cells: string[]
  /** The next row's, from 1. */
  number: number
  /** How often the open row is to stand there. */
  repeated: number
}

interface OpenCell {
  text: string
  readonly attributes: Attributes
}

class OdfReader {
  pages = 0
  readonly #text: DocumentText
  readonly #tooLong: () => Error
  #left: number
  /** Open paragraphs: notes and frames stand inside of others. */
  readonly #lines: string[] = []
  readonly #tables: OpenTable[] = []
  /** A table may stand in a cell of another. */
  readonly #cells: OpenCell[] = []
  #list: string[] = []
  #listDepth = 0
  #leftOut = 0
  #level: number | undefined
  #isTitle = false
  #isSpreadsheet = false
  readonly #shifts: ReadonlyMap<string, Shift | undefined>
  /** Raised and lowered ones collect their text in a line of their own. */
  readonly #spans: { readonly shift: Shift | undefined; readonly before: string }[] = []
  /** The last character. */
  #last = ''
  /** The mark of a note whose text has not begun. */
  #mark = ''

  constructor(text: DocumentText, tooLong: () => Error, most: number, shifts: ReadonlyMap<string, Shift | undefined>) {
    this.#text = text
    this.#tooLong = tooLong
    this.#left = most
    this.#shifts = shifts
  }

  open(name: string, attributes: Attributes): void {
    if (LEFT_OUT.has(name)) this.#leftOut++
    if (this.#leftOut > 0) return
    switch (name) {
      case 'spreadsheet':
        this.#isSpreadsheet = true
        break
      case 'page':
        this.pages++
        break
      case 'frame':
        this.#isTitle = attributes['class'] === 'title'
        break
      case 'h':
        this.#level = Number(attributes['outline-level'] ?? 1) || 1
        this.#lines.push('')
        break
      case 'p':
        this.#lines.push(this.#mark)
        this.#mark = ''
        break
      case 'span':
        this.#openSpan(this.#shifts.get(attributes['style-name'] ?? ''))
        break
      case 'note-citation':
        this.#openSpan('raised')
        break
      case 's':
        this.#append(' '.repeat(Math.min(MOST_SPACES, Number(attributes['c'] ?? 1) || 1)))
        break
      case 'tab':
        this.#append(' ')
        break
      case 'line-break':
        this.#append('\n')
        break
      case 'list':
        this.#listDepth++
        break
      case 'table':
        if (this.#isSpreadsheet && this.#tables.length === 0) this.pages++
        this.#tables.push({ name: attributes['name'] ?? '', rows: [], cells: [], number: 1, repeated: 1 })
        break
      case 'table-row':
        if (this.#table === undefined) break
        this.#table.repeated = repetitions(attributes['number-rows-repeated'])
        this.#table.cells = []
        break
      case 'table-cell':
      case 'covered-table-cell':
        this.#cells.push({ text: '', attributes })
        break
    }
  }

  text(piece: string): void {
    if (this.#leftOut === 0) this.#append(piece.replaceAll(/\s+/g, ' '))
  }

  close(name: string): void {
    if (this.#leftOut > 0) {
      if (LEFT_OUT.has(name)) this.#leftOut--
      return
    }
    if (name === 'p' || name === 'h') this.#paragraph(this.#lines.pop() ?? '')
    else if (name === 'span') this.#closeSpan()
    else if (name === 'note-citation') this.#mark = `${this.#closeSpan()} `
    else if (name === 'frame') this.#isTitle = false
    else if (name === 'list' && --this.#listDepth === 0) this.#endList()
    else if (name === 'table-cell' || name === 'covered-table-cell') this.#endCell()
    else if (name === 'table-row') this.#endRow()
    else if (name === 'table') this.#endTable()
  }

  get #table(): OpenTable | undefined {
    return this.#tables.at(-1)
  }

  get #page(): { page?: number } {
    return this.pages === 0 ? {} : { page: this.pages }
  }

  #append(piece: string): void {
    const at = this.#lines.length - 1
    if (at < 0 || piece === '') return
    this.#lines[at] += piece
    this.#last = piece.slice(-1)
  }

  #openSpan(shift: Shift | undefined): void {
    this.#spans.push({ shift, before: this.#last })
    if (shift !== undefined) this.#lines.push('')
  }

  /** Returns its text, if it is raised or lowered. */
  #closeSpan(): string {
    const { shift, before = '' } = this.#spans.pop() ?? {}
    if (shift === undefined) return ''
    const run = shifted(this.#lines.pop() ?? '', shift, before)
    this.#append(run)
    return run
  }

  #paragraph(line: string): void {
    const level = this.#level
    this.#level = undefined
    const cell = this.#cells.at(-1)
    if (cell !== undefined) cell.text += `${cell.text === '' ? '' : ' '}${line}`
    else if (level !== undefined || this.#isTitle) {
      this.#endList()
      this.#text.add('heading', line, { ...this.#page, level: level ?? 1 })
    } else if (this.#listDepth > 0 && line.trim() !== '') {
      this.#list.push(`${'  '.repeat(this.#listDepth - 1)}- ${oneLine(line)}`)
    } else if (this.#listDepth === 0) this.#text.add('paragraph', line, this.#page)
  }

  #endList(): void {
    this.#text.add('list', this.#list.join('\n'), this.#page)
    this.#list = []
  }

  /** Empty cells up to the edge of a sheet are written as one that is repeated. */
  #endCell(): void {
    const cell = this.#cells.pop()
    if (cell === undefined) return
    const { text, attributes } = cell
    const shown = cellText(text, attributes)
    const times = repetitions(attributes['number-columns-repeated'])
    const cells = this.#table?.cells ?? []
    for (let i = 0; i < times && cells.length < MOST_COLUMNS; i++) cells.push(shown)
    if (shown !== '') this.#take(times * (shown.length + 1))
  }

  #endRow(): void {
    const table = this.#table
    if (table === undefined) return
    const cells = table.cells.slice(0, table.cells.findLastIndex((cell) => cell !== '') + 1)
    if (cells.length > 0) {
      this.#take(table.repeated * cells.length)
      for (let i = 0; i < table.repeated; i++) table.rows.push({ number: table.number + i, cells })
    }
    table.number += table.repeated
  }

  #endTable(): void {
    const table = this.#tables.pop()
    if (table === undefined) return
    const { name, rows } = table
    const lines = rows.flatMap(({ cells }) => tableRow([...cells]) ?? [])
    if (this.#cells.length > 0) this.#paragraph(lines.join(' '))
    else if (this.#isSpreadsheet) addSheet(this.#text, name, rows, this.pages)
    else this.#text.add('table', lines.join('\n'), this.#page)
  }

  #take(characters: number): void {
    this.#left -= characters
    if (this.#left < 0) throw this.#tooLong()
  }
}

/** Values as those of an Excel workbook are given: days as ISO 8601, numbers without their format. */
function cellText(shown: string, { 'value-type': type, value, 'date-value': date }: Attributes): string {
  if (type === 'date' && date !== undefined) return date.replace(/T00:00:00$/, '')
  if ((type === 'float' || type === 'currency' || type === 'percentage') && value !== undefined) return value
  return shown.replaceAll(/\s+/g, ' ').trim()
}

function repetitions(text: string | undefined): number {
  return Math.max(1, Math.min(1_048_576, Number(text ?? 1) || 1))
}
