import { plainShifted, type Shift } from '../../shared/superscripts.ts'
import { relationsOf } from './relations.ts'
import { struckOut } from '../../domain/strikethrough.ts'
import { builtInPattern, unescapeText } from './sheet-cells.ts'
import { readXml } from './xml.ts'
import type { ZipEntry } from './zip.ts'

/** What a workbook says of itself and of all its sheets. */
export interface Workbook {
  /** In the order in which they are shown. */
  readonly sheets: readonly { readonly name: string; readonly entry: ZipEntry }[]
  readonly isFrom1904: boolean
  /** Programs that calculate nothing ask for this, and store 0 for each formula. */
  readonly needsCalculation: boolean
  /** Texts that cells name by their number. */
  readonly strings: readonly string[]
  /** By their numbers. */
  readonly styles: readonly CellStyle[]
}

interface CellStyle {
  /** Of its numbers. */
  readonly pattern: string
  readonly isStruckOut: boolean
}

const WORKBOOK = 'xl/workbook.xml'

/** Reads everything but the cells. @see ECMA-376 Part 1, 18.2, 18.4, 18.8 */
export async function readWorkbook(entries: readonly ZipEntry[]): Promise<Workbook> {
  const part = (path: string): ZipEntry | undefined => entries.find(({ name }) => name === path)
  const listed: { readonly name: string; readonly id: string }[] = []
  let isFrom1904 = false
  let needsCalculation = false
  await read(part(WORKBOOK), (name, { name: title, id, date1904, fullCalcOnLoad = '0' }) => {
    if (name === 'sheet') listed.push({ name: title ?? '', id: id ?? '' })
    if (name === 'workbookPr') isFrom1904 = date1904 === '1' || date1904 === 'true'
    if (name === 'calcPr') needsCalculation = isOn(fullCalcOnLoad)
  })
  // Others are charts, which have no cells.
  const worksheets = (await relationsOf(new Map(entries.map((entry) => [entry.name, entry])), WORKBOOK)).filter(
    ({ type }) => type === 'worksheet',
  )
  const targets = new Map(worksheets.map(({ id, path }) => [id, path]))
  const sheets = listed.flatMap(({ name, id }, i) => {
    const path = targets.size === 0 ? `xl/worksheets/sheet${i + 1}.xml` : targets.get(id)
    const entry = path === undefined ? undefined : part(path)
    return entry === undefined ? [] : [{ name, entry }]
  })
  const strings = await stringsOf(part('xl/sharedStrings.xml'))
  return { sheets, isFrom1904, needsCalculation, strings, styles: await stylesOf(part('xl/styles.xml')) }
}

async function read(
  entry: ZipEntry | undefined,
  open: (name: string, attributes: Readonly<Record<string, string>>) => void,
): Promise<void> {
  if (entry !== undefined) await readXml(entry, { open })
}

async function stringsOf(entry: ZipEntry | undefined): Promise<string[]> {
  const strings: string[] = []
  if (entry === undefined) return strings
  let text = new TextPieces()
  await readXml(entry, {
    open(name, attributes) {
      if (name === 'si') text = new TextPieces()
      text.open(name, attributes)
    },
    text: (piece) => text.add(piece),
    close(name) {
      text.close(name)
      if (name === 'si') strings.push(text.value)
    },
  })
  return strings
}

async function stylesOf(entry: ZipEntry | undefined): Promise<CellStyle[]> {
  const patterns = new Map<string, string>()
  const struckFonts: boolean[] = []
  const styles: CellStyle[] = []
  let section = ''
  await read(entry, (name, { numFmtId = '0', formatCode = '', fontId = '', val }) => {
    if (SECTIONS.has(name)) section = name
    if (name === 'numFmt' && section === 'numFmts') patterns.set(numFmtId, formatCode)
    if (name === 'font' && section === 'fonts') struckFonts.push(false)
    if (name === 'strike' && section === 'fonts') struckFonts[struckFonts.length - 1] = isOn(val)
    if (name === 'xf' && section === 'cellXfs') {
      const pattern = patterns.get(numFmtId) ?? builtInPattern(Number(numFmtId))
      styles.push({ pattern, isStruckOut: struckFonts[Number(fontId)] === true })
    }
  })
  return styles
}

const SECTIONS = new Set(['numFmts', 'fonts', 'cellXfs', 'cellStyleXfs', 'dxfs'])

/** Of an element that means a property alone. */
function isOn(value = '1'): boolean {
  return value !== '0' && value !== 'false'
}

const SHIFTS: Readonly<Record<string, Shift>> = { superscript: 'raised', subscript: 'lowered' }

/** Joins the runs of a text, without phonetic readings. */
export class TextPieces {
  value = ''
  #isText = false
  #isReading = false
  #shift: Shift | undefined
  #isStruckOut = false
  #run = ''
  #last = ''

  open(name: string, { val }: Readonly<Record<string, string>>): void {
    if (name === 'rPh') this.#isReading = true
    if (name === 't') this.#isText = true
    if (name === 'r') this.#shift = undefined
    if (name === 'r') this.#isStruckOut = false
    if (name === 'strike') this.#isStruckOut = isOn(val)
    if (name === 'vertAlign') this.#shift = SHIFTS[val ?? '']
  }

  add(piece: string): void {
    if (this.#isText && !this.#isReading) this.#run += piece
  }

  close(name: string): void {
    if (name === 'rPh') this.#isReading = false
    if (name !== 't') return
    this.#isText = false
    const text = unescapeText(this.#run)
    const run = this.#shift === undefined ? text : plainShifted(text, this.#shift, this.#last)
    this.value += this.#isStruckOut ? struckOut(run) : run
    this.#last = run.slice(-1) || this.#last
    this.#run = ''
  }
}
