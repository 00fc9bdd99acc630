import { omitUndefined } from '../../shared/json.ts'
import { plainShifted } from '../../shared/superscripts.ts'
import { withTarget } from '../../markup/links.ts'
import { documentError } from './document-error.ts'
import { DocumentText, oneLine, tooLong } from './document-text.ts'
import { equationsNote } from './equations.ts'
import { odfMarks, type Mark } from './odf-styles.ts'
import { packageProperties, smallPart } from './properties.ts'
import { addSheet } from './sheet-blocks.ts'
import type { Parsed, ZipSource } from './source.ts'
import { plainCell, uncalculated, withFormulaTarget } from './sheet-cells.ts'
import { tableLines, type MergedCells, type TableRow } from './table-rows.ts'
import { readXml } from './xml.ts'

/** Elements that are not part of the text: annotations, deletions, pronunciation, descriptions, forms. */
const SKIPPED_ELEMENTS = new Set(['annotation', 'tracked-changes', 'ruby-text', 'desc', 'forms'])
const MAX_SPACES = 100
const MAX_COLUMNS = 16_384

/**
 * Parses an OpenDocument file. Slides and sheets count as pages. @see OASIS OpenDocument 1.3, part 3
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
  const marks = await odfMarks(entries.find((entry) => entry.name === 'styles.xml'))
  for (const [style, mark] of await odfMarks(content)) marks.set(style, mark)
  const reader = new OdfReader(text, () => tooLong(name, limits.characters), limits.characters, marks)
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
    ...omitUndefined({ title, date }),
    notes: equationsNote(equations.length),
  }
}

type Attributes = Readonly<Record<string, string>>

interface OpenTable {
  readonly name: string
  readonly rows: TableRow[]
  readonly merged: MergedCells[]
  cells: string[]
  /** Number of the next row, from 1. */
  number: number
  /** Number of times the open row is repeated. */
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
  /** Open paragraphs, which may be nested in notes and frames. */
  readonly #lines: string[] = []
  readonly #tables: OpenTable[] = []
  /** A table may be nested in a cell. */
  readonly #cells: OpenCell[] = []
  #list: string[] = []
  #listDepth = 0
  #skippedDepth = 0
  #level: number | undefined
  #isTitle = false
  #isSpreadsheet = false
  readonly #marks: ReadonlyMap<string, Mark | undefined>
  /** Spans with a mark collect their text separately. */
  readonly #spans: { readonly mark: Mark | undefined; readonly before: string }[] = []
  /** Marks of the open paragraphs. */
  readonly #paragraphMarks: (Mark | undefined)[] = []
  /** The last character. */
  #last = ''
  /** The mark of a note whose text has not started. */
  #mark = ''

  constructor(text: DocumentText, tooLong: () => Error, max: number, marks: ReadonlyMap<string, Mark | undefined>) {
    this.#text = text
    this.#tooLong = tooLong
    this.#left = max
    this.#marks = marks
  }

  open(name: string, attributes: Attributes): void {
    if (SKIPPED_ELEMENTS.has(name)) this.#skippedDepth++
    if (this.#skippedDepth > 0) return
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
        this.#paragraphMarks.push(this.#markOf('paragraph', attributes))
        this.#level = Number(attributes['outline-level'] ?? 1) || 1
        this.#lines.push('')
        break
      case 'p':
        this.#paragraphMarks.push(this.#markOf('paragraph', attributes))
        this.#lines.push(this.#mark)
        this.#mark = ''
        break
      case 'span':
        this.#openSpan(this.#markOf('text', attributes))
        break
      case 'note-citation':
        this.#openSpan((run, before) => plainShifted(run, 'raised', before))
        break
      case 'a':
        this.#openSpan((run) => withTarget(run, attributes['href'] ?? ''))
        break
      case 's':
        this.#append(' '.repeat(Math.min(MAX_SPACES, Number(attributes['c'] ?? 1) || 1)))
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
        this.#tables.push({ name: attributes['name'] ?? '', rows: [], merged: [], cells: [], number: 1, repeated: 1 })
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
    if (this.#skippedDepth === 0) this.#append(piece.replaceAll(/\s+/g, ' '))
  }

  close(name: string): void {
    if (this.#skippedDepth > 0) {
      if (SKIPPED_ELEMENTS.has(name)) this.#skippedDepth--
      return
    }
    if (name === 'p' || name === 'h') this.#endParagraph()
    else if (name === 'span' || name === 'a') this.#closeSpan()
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

  #markOf(family: string, attributes: Attributes): Mark | undefined {
    return this.#marks.get(`${family} ${attributes['style-name'] ?? ''}`)
  }

  #openSpan(mark: Mark | undefined): void {
    this.#spans.push({ mark, before: this.#last })
    if (mark !== undefined) this.#lines.push('')
  }

  /** Returns its text, if it has a mark. */
  #closeSpan(): string {
    const { mark, before = '' } = this.#spans.pop() ?? {}
    if (mark === undefined) return ''
    const run = mark(this.#lines.pop() ?? '', before)
    this.#append(run)
    return run
  }

  #endParagraph(): void {
    const line = this.#lines.pop() ?? ''
    this.#paragraph(this.#paragraphMarks.pop()?.(line, '') ?? line)
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

  /** Empty cells at the end of a row are stored as one repeated cell. */
  #endCell(): void {
    const cell = this.#cells.pop()
    if (cell === undefined) return
    const { text, attributes } = cell
    const value = cellText(text, attributes)
    const content = this.#markOf('table-cell', attributes)?.(value, '') ?? value
    const times = repetitions(attributes['number-columns-repeated'])
    const cells = this.#table?.cells ?? []
    const left = cells.length
    for (let i = 0; i < times && cells.length < MAX_COLUMNS; i++) cells.push(content)
    if (content !== '') this.#take(times * (content.length + 1))
    const { number = 1, merged } = this.#table ?? {}
    const right = left + repetitions(attributes['number-columns-spanned']) - 1
    const bottom = number + repetitions(attributes['number-rows-spanned']) - 1
    if (right > left || bottom > number) merged?.push({ top: number, bottom, left, right })
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
    const { name, rows, merged } = table
    if (this.#isSpreadsheet && this.#cells.length === 0) return addSheet(this.#text, name, rows, this.pages, merged)
    const lines = tableLines(rows, merged)
    if (this.#cells.length > 0) this.#paragraph(lines.join(' '))
    else this.#text.add('table', lines.join('\n'), this.#page)
  }

  #take(characters: number): void {
    this.#left -= characters
    if (this.#left < 0) throw this.#tooLong()
  }
}

/** Values as the sheet displays them; dates are ISO 8601. Digits hidden by exponent notation are kept. */
function cellText(text: string, { 'value-type': type, value, 'date-value': date, formula }: Attributes): string {
  const display = text.replaceAll(/\s+/g, ' ').trim()
  if (type === 'date' && date !== undefined) return date.replace(/T00:00:00$/, '')
  if (formula !== undefined && type === undefined && display === '') return uncalculated(formula.replace(/^\w+:/, ''))
  if (value !== undefined && /^$|^#+$|^-?\d[.,]\d+E[+-]?\d+$/i.test(display)) return plainCell(value)
  return withFormulaTarget(display, formula)
}

function repetitions(text: string | undefined): number {
  return Math.max(1, Math.min(1_048_576, Number(text ?? 1) || 1))
}
