import { parse } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'
import { DocumentText } from './document-text.ts'
import type { Parsed, Source } from './source.ts'
import { tableLines, type TableRow } from './table-rows.ts'
import { readTextFile } from './text-input.ts'

const SAMPLE_CHARACTERS = 20_000
const SAMPLE_RECORDS = 50
/** Number of rows used to detect a header of several levels. */
const HEADER_RECORDS = 3
const DELIMITERS = [',', ';', '\t', '|'] as const

/** A table of values parted by commas, semicolons, tabs or bars. Quotes that do not fit are taken as they are. */
export async function parseCsv(source: Source): Promise<Parsed> {
  const { text: input, notes: doubts } = readTextFile(source)
  const text = new DocumentText(source.name, source.limits.characters)
  const lines: string[] = []
  const notes = [...doubts]
  try {
    const parser = parse({ ...options(delimiterOf(input)) })
    parser.end(input)
    const header: TableRow[] = []
    for await (const record of parser) {
      const cells = record as string[]
      if (lines.length > 0) lines.push(...tableLines([{ number: 1, cells }]))
      else if (header.push({ number: header.length + 1, cells }) === HEADER_RECORDS) lines.push(...tableLines(header))
    }
    if (lines.length === 0) lines.push(...tableLines(header))
  } catch (thrown) {
    lines.splice(0, lines.length, input)
    notes.push(`Its rows could not be parsed, so it is stored as plain lines: ${(thrown as Error).message}.`)
  }
  text.add('table', lines.join('\n'))
  return { text: text.text(), blocks: text.blocks, notes }
}

function options(delimiter: string) {
  return { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true }
}

/** The separator that splits the first lines into the most columns of equal number. */
function delimiterOf(input: string): string {
  const sample = input.slice(0, SAMPLE_CHARACTERS)
  // The last line may be cut off.
  const lines = sample.length < input.length ? sample.slice(0, Math.max(0, sample.lastIndexOf('\n'))) : sample
  const scores = DELIMITERS.map((delimiter) => ({ delimiter, score: scoreOf(lines, delimiter) }))
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).delimiter
}

function scoreOf(lines: string, delimiter: string): number {
  try {
    const records = parseSync(lines, { ...options(delimiter), to: SAMPLE_RECORDS }) as string[][]
    const widths = records.map((record) => record.length)
    const usual = widths.toSorted((a, b) => a - b)[widths.length >> 1] ?? 1
    const share = widths.filter((width) => width === usual).length / Math.max(1, widths.length)
    return usual > 1 ? share + Math.min(usual, 100) / 1000 : 0
  } catch {
    // Quotes that close nowhere under this delimiter.
    return 0
  }
}
