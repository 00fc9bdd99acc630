import { strToU8, zipSync } from 'fflate'

interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
/** Maximum digits of a number in a spreadsheet. Longer numbers are stored as text, so that no digit is lost. */
const MAX_DIGITS = 15

/** A table as the workbook of a spreadsheet (ECMA-376): numbers are numbers, and no text is a formula. */
export function createXlsx({ columns, rows }: Rows): Blob {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
  const body = lines.map((line, at) => {
    const cells = line.map((value, place) => cell(value, `r="${letters(place)}${at + 1}"`, at === 0))
    return `<row r="${at + 1}">${cells.join('')}</row>`
  })
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="r${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const relations = (...all: readonly string[]) =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${SHEET}.${type}+xml"/>`
  const parts = {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('workbook', 'sheet.main')}${part('worksheets/sheet1', 'worksheet')}${part('styles', 'styles')}</Types>`,
    '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/_rels/workbook.xml.rels': relations(
      relation(1, 'worksheet', 'worksheets/sheet1.xml'),
      relation(2, 'styles', 'styles.xml'),
    ),
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Tutti" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${body.join('')}</sheetData></worksheet>`,
  }
  const files = Object.entries(parts).map(([path, text]) => [path, strToU8(text)] as const)
  return new Blob([zipSync(Object.fromEntries(files))], { type: `${SHEET}.sheet` })
}

/** As a spreadsheet names a column: A to Z, AA, AB, … */
function letters(at: number): string {
  return `${at < 26 ? '' : letters(Math.floor(at / 26) - 1)}${String.fromCodePoint(65 + (at % 26))}`
}

function cell(value: unknown, place: string, isHead: boolean): string {
  if (value === null || value === undefined) return `<c ${place}/>`
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const isNumber = typeof value !== 'boolean' && NUMBER.test(text) && text.replace(/\D/g, '').length <= MAX_DIGITS
  if (isNumber && !isHead) return `<c ${place}><v>${text}</v></c>`
  // XML has no place for most control characters, nor for half of a pair.
  // oxlint-disable-next-line no-control-regex
  const safe = text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu, '')
  const escaped = safe.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<c ${place}${isHead ? ' s="1"' : ''} t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`
}
