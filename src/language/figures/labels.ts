import type { Table } from '../../core/table.ts'
import { numeric } from './derive.ts'
import { sharpened, wordsOf } from './evidence.ts'
import { readable, type Figure, type NumberFigure, type Reading } from './read.ts'
import { isShare, RATIO } from './units.ts'

/** Tables with more rows are lists that nobody reads out. */
const MOST_ROWS = 200
/** More rows than these are not told of together. */
const MOST_TOGETHER = 24
/** Where something else is spoken of; commas inside a number part nothing. */
const CLAUSE =
  /,(?!\d)|(?<!\d),|[;:()|\n]|(?<!\p{L})(?:and|but|while|whereas|und|aber|während|et|mais|y|pero|mientras|e|ma|mas|en|maar)(?!\p{L})/giu
const PART = /,(?!\d)|(?<!\d),|[;()|\n]|(?<!\p{L})(?:but|while|whereas|aber|während)(?!\p{L})/giu
const COMPARED =
  /(?<!\p{L})(?:more|less|fewer|higher|lower|ahead|behind|differ\p{L}*|gap|lead|than|above|below|exceed\p{L}*|r[io]se|gr[eo]w\p{L}*|increas\p{L}*|decreas\p{L}*|f[ae]ll|drop\p{L}*|declin\p{L}*|chang\p{L}*|up|down|mehr|weniger|stieg\p{L}*|sank\p{L}*|wuchs\p{L}*)(?!\p{L})|[+−-]\d/iu

type Row = Table['rows'][number]
type Span = readonly [number, number]

/** What a sentence says of the rows of one table. */
export class RowsNamed {
  readonly table: Table
  /** The sentence with the names blanked: none of their words or digits is read as anything else. */
  private readonly rest: string
  /** In the order of the text. */
  private readonly names: { readonly at: number; readonly rows: readonly Row[] }[] = []
  private readonly clauses: readonly Span[]

  constructor(table: Table, sentence: string, figures: readonly Figure[]) {
    this.table = table
    let rest = readable(sentence)
    const rowsOf = new Map<string, Row[]>()
    for (const row of table.rows.length > MOST_ROWS ? [] : table.rows) {
      for (const name of new Set(table.columns.map((column) => row[column]))) {
        if (typeof name === 'string' && /\p{L}{2}/u.test(name)) rowsOf.set(name, [...(rowsOf.get(name) ?? []), row])
      }
    }
    // “Rock and Roll” is not “Rock”.
    for (const [name, rows] of [...rowsOf].toSorted(([a], [b]) => b.length - a.length)) {
      for (const at of placesOf(name, rest)) {
        this.names.push({ at, rows })
        rest = rest.slice(0, at) + '_'.repeat(name.length) + rest.slice(at + name.length)
      }
    }
    this.names.sort((a, b) => a.at - b.at)
    this.rest = rest
    this.clauses = clausesOf(rest, figures)
  }

  /** Each row that is named, in the order of the text. */
  get rows(): readonly Row[] {
    return this.within([0, this.rest.length])
  }

  /**
   * Whether the sentence gives a figure of other rows to those that its clause names. A clause that names no row, or a figure
   * that stands nowhere in the table, says nothing of rows.
   */
  isOfOther(figure: NumberFigure): boolean | undefined {
    const { columns, rows } = this.table
    const { isPercent } = figure
    if (rows.length < 2 || rows.length > MOST_ROWS || figure.isOrdinal || figure.unit === RATIO) return undefined
    if (!isPercent && figure.readings[0]!.value === rows.length) return undefined
    const having = rows.filter((row) => printedOf(this.table, row, figure).some((value) => isPrinted(value, figure)))
    if (having.length === 0) return undefined
    const clause = this.clauses.find(([from, to]) => figure.at >= from && figure.at < to) ?? [0, this.rest.length]
    const named = this.within(clause)
    // In a row of a printed table the first cell says whose it is.
    const whose = named.length === 0 && this.rest.includes('|') ? this.within([0, figure.at]) : named
    const text = this.rest.slice(...clause)
    const exact = withReadings(figure, (reading) =>
      reading.to - reading.from > 1 ? reading : sharpened(reading, 0.02),
    )
    const has = (row: Row): boolean =>
      printedOf(this.table, row, figure).some((value) => isPrinted(value, isPercent ? figure : exact))
    if (whose.length > 0) return !whose.some(has) && !this.follows(figure, whose, text)
    return extremeIn(text) !== undefined && !columns.some((column) => isEnd(this.table, column, text, figure))
  }

  /** Whether it comes of these rows, or of all that the sentence names. */
  private follows(figure: NumberFigure, named: readonly Row[], clause: string): boolean {
    const { isPercent } = figure
    const { columns, rows } = this.table
    const compared = COMPARED.test(clause)
      ? columns.flatMap((column) =>
          rows.flatMap((row) =>
            Math.abs((numeric(row[column]) ?? Number.NaN) - (numeric(named[0]![column]) ?? Number.NaN)),
          ),
        )
      : []
    const told = [named, this.rows]
      .flatMap((some) => ofRows(this.table, some))
      .filter((one) => one.isShare === isPercent)
    const own = named.flatMap((row) => ofRow(this.table, row, isPercent, COMPARED.test(clause)))
    const counted = isPercent ? (100 * named.length) / rows.length : named.length
    const sharp = isPercent ? figure : withReadings(figure, (reading) => sharpened(reading, 0.005))
    return (
      [...told.map(({ value }) => value), counted].some((value) => isPrinted(value, figure)) ||
      [...own, ...compared].some((value) => isPrinted(value, sharp))
    )
  }

  /** “West made the most revenue”, of a row that stands at no end of a column: as it is said, by what is named. */
  wrongExtremes(): { readonly said: string; readonly isWrong: boolean }[] {
    return partsOf(this.rest, PART).flatMap((part) => {
      const text = this.rest.slice(...part)
      const [row, ...more] = this.within(part)
      if (row === undefined || more.length > 0 || !isClaim(this.table, text)) return []
      const columns = columnsIn(this.table, text).filter((column) => numeric(row[column]) !== undefined)
      if (columns.length === 0) return []
      const isWrong = !columns.some((column) => {
        const value = numeric(row[column])!
        return isEnd(this.table, column, text, { value, from: value, to: value })
      })
      return [{ said: text.trim(), isWrong }]
    })
  }

  /** What the first row that is named comes to beside the second, in the columns that are spoken of; none without two. */
  ratios(): number[] | undefined {
    const [first, second] = this.rows
    if (first === undefined || second === undefined) return undefined
    const isTurned = /(?<!\p{L})(?:compared|versus|unlike|relative|against)(?!\p{L})/iu.test(
      this.rest.slice(0, this.names[0]!.at),
    )
    return columnsIn(this.table, this.rest).flatMap((column) => {
      const [a, b] = [numeric(first[column]) ?? 0, numeric(second[column]) ?? 0]
      return a === 0 || b === 0 ? [] : [isTurned ? b / a : a / b]
    })
  }

  private within([from, to]: Span): Row[] {
    return [...new Set(this.names.flatMap(({ at, rows }) => (at >= from && at < to ? rows : [])))]
  }
}

/** Where a name stands as words of its own. */
function placesOf(name: string, text: string): number[] {
  const lower = text.toLowerCase()
  // “US” is not “us”, nor a company “Most” the most.
  const [sought, said] =
    name.length < 4 || /^(?:most|least|best|worst|total|other)$/i.test(name) || lower.length !== text.length
      ? [name, text]
      : [name.toLowerCase(), lower]
  const places: number[] = []
  for (let at = said.indexOf(sought); at >= 0; at = said.indexOf(sought, at + sought.length)) {
    const around = `${said[at - 1] ?? ''} ${said[at + sought.length] ?? ''}`
    if (!/[\p{L}\p{N}]/u.test(around)) places.push(at)
  }
  return places
}

function partsOf(text: string, mark: RegExp): Span[] {
  const ends = [...text.matchAll(mark)].map(({ 0: found, index }) => index + found.length)
  return [0, ...ends].map((from, i): Span => [from, ends[i] ?? text.length])
}

/** The clauses that have a figure, each with those before it that have none: “Rock and Latin have 835”. */
function clausesOf(text: string, figures: readonly Figure[]): Span[] {
  const places = figures.flatMap((figure) => (figure.kind === 'number' ? [figure.at] : []))
  const clauses: Span[] = []
  let start = 0
  for (const [from, to] of partsOf(text, CLAUSE)) {
    if (!/\d/.test(text.slice(from, to)) && !places.some((at) => at >= from && at < to)) continue
    clauses.push([start, to])
    start = to
  }
  return clauses
}

/** The columns that a text speaks of; all, where it speaks of none. */
function columnsIn({ columns, rows }: Table, text: string): readonly string[] {
  const words = new Set(wordsOf(text))
  const counted = columns.filter((column) => rows.some((row) => numeric(row[column]) !== undefined))
  const named = counted.filter((column) => wordsOf(column).some((word) => words.has(word)))
  return named.length === 0 ? counted : named
}

const MOST =
  /(?<!\p{L})(?:most|highest|largest|biggest|greatest|best|maximum|top|meisten|höchste\p{L}*|größte\p{L}*|beste\p{L}*)(?!\p{L})/iu
const LEAST =
  /(?<!\p{L})(?:least|fewest|lowest|smallest|worst|minimum|wenigsten|niedrigste\p{L}*|kleinste\p{L}*)(?!\p{L})/iu
const NO_EXTREME =
  /(?<!\p{L})(?:at (?:most|least|best|worst)|most of|second|third|next|\d|two|three|four|five|ten)[ -](?:most|highest|largest|biggest|best|lowest|smallest|\p{L}+ (?:most|best))|(?<!\p{L})at (?:most|least)|(?:top|best|bottom) (?:\d|two|three|four|five|ten)/iu

/** “The best genre has 835 tracks”: without a name, the words still say which row; not “the two best”, “at most”. */
function extremeIn(clause: string): 'most' | 'least' | undefined {
  if (NO_EXTREME.test(clause) || MOST.test(clause) === LEAST.test(clause)) return undefined
  return MOST.test(clause) ? 'most' : 'least'
}

/** Words that make no claim of it, or one of more than a single row. */
const NO_CLAIM =
  /(?<!\p{L})(?:not|never|no|nor|neither|hardly|one of|among|after|except|besides|if|whether|almost|nearly|nicht|kein\p{L}*)(?!\p{L})|n['’]t(?!\p{L})|\?/iu
/** “Largest regions”: of several. */
const OF_SEVERAL =
  /(?<!\p{L})(?:largest|biggest|best|top|worst|smallest|greatest|highest|lowest) \p{Ll}{2,30}s(?<!ss)(?!\p{L})/u
/** “Most recent” is of something else, unless a column is called so. */
const MOST_OF = /(?<!\p{L})(?:most|least) (\p{Ll}{3,30})/u
const MEASURED =
  /^(?:popular|expensive|valuable|profitable|frequent|common|productive|successful|money|overall|\p{Ll}+s)$/u

function isClaim(table: Table, text: string): boolean {
  if (extremeIn(text) === undefined || NO_CLAIM.test(text)) return false
  const what = MOST_OF.exec(text)?.[1]
  const isColumn = table.columns.some((column) => wordsOf(column).some((word) => word === wordsOf(what ?? column)[0]))
  return isColumn || !(OF_SEVERAL.test(text) || (what !== undefined && !MEASURED.test(what)))
}

/** Whether it is what stands at the end of the column that the clause speaks of; what is best may be either. */
function isEnd({ rows }: Table, column: string, clause: string, figure: NumberFigure | Reading): boolean {
  const known = rows.flatMap((row) => numeric(row[column]) ?? [])
  if (known.length === 0) return false
  const ends = [Math.max(...known), Math.min(...known)]
  const isEither = /(?<!\p{L})(?:best|worst|beste\p{L}*)(?!\p{L})/iu.test(clause)
  const sought = isEither ? ends : [ends[extremeIn(clause) === 'least' ? 1 : 0]!]
  return sought.some((end) => ('readings' in figure ? isPrinted(end, figure) : end === figure.value))
}

/** What of a row may be printed as it is: its cells; of percentages, shares that it has and its share of the whole. */
function printedOf(table: Table, row: Row, { isPercent }: NumberFigure): number[] {
  return table.columns.flatMap((column) => {
    const value = numeric(row[column])
    if (value === undefined) return []
    if (!isPercent) return [value]
    const total = table.truncated === true ? 0 : sumOf(table.rows, column)
    return [
      ...(isShare(column) ? [value, ...(Math.abs(value) <= 1 ? [100 * value] : [])] : []),
      ...(total > 0 ? [(100 * value) / total] : []),
    ]
  })
}

/** What comes of a row alone: one column beside another, and, where it is compared, growth from the row before. */
function ofRow({ columns, rows }: Table, row: Row, isPercent: boolean, isCompared: boolean): number[] {
  const place = rows.indexOf(row)
  return columns.flatMap((column) => {
    const a = numeric(row[column])
    if (a === undefined) return []
    const others = columns.flatMap((other) =>
      other === column || isShare(other) !== isShare(column) ? [] : (numeric(row[other]) ?? []),
    )
    if (!isPercent) return others.flatMap((b) => [a - b, a + b, a / b])
    if (!isCompared) return others.map((b) => (100 * a) / b)
    const near = [rows[place - 1], rows[place + 1], rows[0]].flatMap((one) => numeric(one?.[column]) ?? [])
    return [
      ...others.map((b) => (100 * a) / b),
      ...[...others, ...near].flatMap((b) => [Math.abs((100 * (a - b)) / b), Math.abs((100 * (a - b)) / a)]),
    ]
  })
}

/** What comes of the rows that a sentence names: together, on average, as a share of all, and one beside the other. */
export function ofRows(
  { columns, rows, truncated }: Table,
  named: readonly Row[],
): { value: number; isShare: boolean }[] {
  if (named.length < 2 || named.length > MOST_TOGETHER) return []
  return columns
    .filter((column) => named.every((row) => numeric(row[column]) !== undefined))
    .flatMap((column) => {
      const [first, second] = named.map((row) => numeric(row[column])!) as [number, number]
      const sum = sumOf(named, column)
      const all = truncated === true ? 0 : sumOf(rows, column)
      const amounts = [sum, sum / named.length, ...(named.length === 2 ? [Math.abs(first - second)] : [])]
      const shares = [
        ...(all === 0 ? [] : [(100 * sum) / all]),
        ...(named.length === 2 && first !== 0 && second !== 0
          ? [first / second, second / first].flatMap((ratio) => [100 * ratio, Math.abs(100 * (ratio - 1))])
          : []),
      ]
      return [
        ...amounts.map((value) => ({ value, isShare: false })),
        ...shares.map((value) => ({ value, isShare: true })),
      ]
    })
}

function sumOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + (numeric(row[column]) ?? 0), 0)
}

function withReadings(figure: NumberFigure, change: (reading: Reading) => Reading): NumberFigure {
  return { ...figure, readings: figure.readings.map(change) }
}

function isPrinted(value: number, { readings }: NumberFigure): boolean {
  if (!Number.isFinite(value)) return false
  const slack = 1e-9 * Math.max(1, Math.abs(value))
  return readings.some(({ from, to }) => value >= from - slack && value <= to + slack)
}
