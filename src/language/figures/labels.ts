import type { Table } from '../../core/table.ts'
import { isPeriodic, numeric } from './derive.ts'
import { wordsOf } from './evidence.ts'
import { extremeIn, isClaim, isEnd } from './extremes.ts'
import { negative, sharpened } from './printed.ts'
import { readable, type Figure, type NumberFigure } from './read.ts'
import { claimedIn, inOrder, isOf, periodsOf } from './row-periods.ts'
import {
  columnsIn,
  isPrinted,
  isPrintedOf,
  numericColumns,
  ofFirst,
  ofRow,
  ofRows,
  sumOf,
  withReadings,
  type Row,
} from './rows.ts'
import { isShare, RATIO } from './units.ts'

/** Tables with more rows are lists that nobody reads out. */
const MOST_ROWS = 200
/** Where something else is spoken of; commas inside a number part nothing. */
const CLAUSE =
  /,(?!\d)|(?<!\d),|[;:()|\n]|(?<!\p{L})(?:and|but|while|whereas|und|aber|während|et|mais|y|pero|mientras|e|ma|mas|en|maar)(?!\p{L})/giu
const PART = /,(?!\d)|(?<!\d),|[;()|\n]|(?<!\p{L})(?:but|while|whereas|aber|während)(?!\p{L})/giu
const COMPARED =
  /(?<!\p{L})(?:more|less|fewer|higher|lower|ahead|behind|differ\p{L}*|gap|lead|than|above|below|exceed\p{L}*|r[io]se|gr[eo]w\p{L}*|increas\p{L}*|decreas\p{L}*|f[ae]ll|drop\p{L}*|declin\p{L}*|chang\p{L}*|up|down|mehr|weniger|stieg\p{L}*|sank\p{L}*|wuchs\p{L}*)(?!\p{L})|[+−-]\d/iu
const RISEN = /(?<!\p{L})(?:r[io]se|gr[eo]w|increas\p{L}*|stieg|wuchs)(?!\p{L})/iu
const FALLEN = /(?<!\p{L})(?:f[ae]ll|sank|drop\p{L}*|declin\p{L}*|decreas\p{L}*)(?!\p{L})/iu

const ONLY = /(?<!\p{L})(?:only|one|just|alone|nur|allein)(?!\p{L})/iu
/** “The top three, with Metal the last of them”. */
const SEVERAL =
  /(?<!\p{L})(?:together|top|first|combined|cumulative\p{L}*|rest|remaining|others?|led|zusammen|übrigen)(?!\p{L})/iu

/** What speaks of more than the rows that are named, or of all without them. */
const WHOLE =
  /(?<!\p{L})(?:total\p{L}*|sum\p{L}*|all|overall|altogether|average\p{L}*|mean|median|together|combined|cumulative\p{L}*|not|besides|without|excluding|except|since|until|till|through|between|rest|remaining|others?|nicht|insgesamt|gesamt\p{L}*|alle|ohne|durchschnitt\p{L}*|schnitt|seit|bis|zusammen|übrigen)(?!\p{L})/iu
/** “100,000 in 2024”: what a figure is told of, right behind it. */
const BEHIND = /^[^\s\p{L}]+(?:\s\p{L}+)?\s(?:in|im|en|for|für)\s/u

type Span = readonly [number, number]

interface Name {
  readonly at: number
  readonly rows: readonly Row[]
  /** Whether it is a day or a period, which rows may have beside a name. */
  readonly isPeriod: boolean
}

/** What a sentence says of the rows of one table. */
export class RowsNamed {
  readonly table: Table
  /** The sentence with the names blanked: none of their words or digits is read as anything else. */
  private readonly rest: string
  private readonly text: string
  /** In the order of the text. */
  private readonly names: Name[] = []
  private readonly clauses: readonly Span[]
  private readonly totals = new Map<string, number>()

  constructor(table: Table, sentence: string, figures: readonly Figure[]) {
    this.table = table
    let rest = (this.text = readable(sentence))
    const rowsOf = new Map<string, Row[]>()
    for (const row of table.rows.length > MOST_ROWS ? [] : table.rows) {
      for (const name of new Set(table.columns.map((column) => row[column]))) {
        if (typeof name === 'string' && /\p{L}{2}|\p{L}.*\d|\d.*\p{L}/u.test(name))
          rowsOf.set(name, [...(rowsOf.get(name) ?? []), row])
      }
    }
    // “Rock and Roll” is not “Rock”.
    for (const [name, rows] of [...rowsOf].toSorted(([a], [b]) => b.length - a.length)) {
      const places = placesOf(name, rest)
      const between = [-name.length, ...places].map((at, i) => rest.slice(at + name.length, places[i]))
      rest = between.join('_'.repeat(name.length))
      this.names.push(...places.map((at) => ({ at, rows, isPeriod: false })))
    }
    const claimed = table.rows.length > MOST_ROWS ? [] : claimedIn(rest, figures)
    const periods = claimed.length === 0 ? [] : table.rows.map((row) => periodsOf(table, row))
    for (const one of claimed) {
      const rows = table.rows.filter((_, place) => isOf(periods[place]!, one))
      if (rows.length === 0) continue
      rest = rest.slice(0, one.at) + '_'.repeat(one.length) + rest.slice(one.at + one.length)
      // What all have tells none from another.
      if (rows.length < table.rows.length || rows.length === 1) this.names.push({ at: one.at, rows, isPeriod: true })
    }
    this.names.sort((a, b) => a.at - b.at)
    this.rest = rest
    this.clauses = clausesOf(
      rest,
      figures.flatMap((figure) => (figure.kind === 'number' && rest[figure.at] !== '_' ? [figure.at] : [])),
    )
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
    if (this.rest[figure.at] === '_') return undefined
    // “4 orders” are no revenue, and not the number of rows.
    const counted = this.columnsBehind(figure)
    const isNumberOfRows = !isPercent && figure.readings[0]!.value === rows.length
    if (isNumberOfRows && counted.length === 0) return undefined
    const having = rows.filter((row) => this.prints(row, figure))
    if (having.length === 0 && !isNumberOfRows) return undefined
    const { whose, text } = this.clauseOf(figure)
    const exact = withReadings(figure, (reading) =>
      isPercent || reading.to - reading.from > 1 ? reading : sharpened(reading, 0.02),
    )
    if (whose.length > 0) {
      const isTheirs = whose.some((row) => this.prints(row, exact, counted))
      return !isTheirs && !this.follows(figure, whose, text)
    }
    return extremeIn(text) !== undefined && !columns.some((column) => isEnd(this.table, column, text, figure))
  }

  /** Whether it comes of the rows that its clause names, where it names any; an amount may be that of all where that is said. */
  isNoneOf(figure: NumberFigure): boolean {
    const { whose, text } = this.clauseOf(figure)
    const isOfAll = !figure.isPercent && (whose.length === this.table.rows.length || WHOLE.test(text))
    return (
      whose.length > 0 &&
      !isOfAll &&
      !whose.some((row) => this.prints(row, figure, this.columnsBehind(figure))) &&
      !this.follows(figure, whose, text)
    )
  }

  /** The clause of a figure, and the rows that it names. */
  private clauseOf({ at }: NumberFigure): { whose: readonly Row[]; text: string } {
    const clause = this.clauses.find(([from, to]) => at >= from && at < to) ?? [0, this.rest.length]
    const behind = BEHIND.exec(this.rest.slice(at, at + 80))?.[0].length ?? 0
    const own = this.names.find((name) => name.isPeriod && name.at === at + behind)
    const named = this.within(clause, own)
    // In a row of a printed table the first cell says whose it is.
    const whose = named.length === 0 && this.rest.includes('|') ? this.within([0, at]) : named
    return { whose, text: this.rest.slice(...clause) }
  }

  /** The columns that are called as what is counted, or as that of which a percentage is told. */
  private columnsBehind({ at, isPercent }: NumberFigure): readonly string[] {
    const behind = this.rest.slice(at, at + 80)
    const word = isPercent
      ? /^[^,;|()]{0,20}? of (?:the |all |our |its )?(\p{Ll}+)(?!\p{L})/u.exec(behind)?.[1]
      : /^[\d.,]+ (?:\p{Ll}+ )?(\p{Ll}+s)(?!\p{L})/u.exec(behind)?.[1]
    const columns = numericColumns(this.table)
    const named = columns.filter((column) => wordsOf(column).includes(wordsOf(word ?? '')[0] ?? ''))
    return isPercent && named.length > 0 ? [...named, ...columns.filter(isShare)] : named
  }

  /** Whether it comes of these rows, or of all that the sentence names. */
  private follows(printed: NumberFigure, named: readonly Row[], clause: string): boolean {
    const { isPercent } = printed
    // “By -30” is 30 less.
    const isBelow = printed.readings[0]!.value < 0
    const figure = isBelow ? withReadings(printed, negative) : printed
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
    const isUp = RISEN.test(clause) === FALLEN.test(clause) ? undefined : RISEN.test(clause)
    const table = inOrder(this.table)
    const own = named.flatMap((row) => ofRow(table, row, isPercent, COMPARED.test(clause), isBelow ? false : isUp))
    const isCounted = named.length > 1 || ONLY.test(clause)
    const counted = !isCounted ? [] : [isPercent ? (100 * named.length) / rows.length : named.length]
    const first =
      isPercent && SEVERAL.test(clause)
        ? named.flatMap((row) => columns.flatMap((column) => ofFirst(this.table, row, column, this.totalOf(column))))
        : []
    const sharp = isPercent ? figure : withReadings(figure, (reading) => sharpened(reading, 0.005))
    return (
      [...told.map(({ value }) => value), ...counted].some((value) => isPrinted(value, figure)) ||
      [...own, ...first, ...compared].some((value) => isPrinted(value, sharp))
    )
  }

  /** “West made the most revenue”, of a row that stands at no end of a column: as it is said, by what is named. */
  wrongExtremes(): { readonly said: string; readonly isWrong: boolean }[] {
    return partsOf(this.rest, PART).flatMap((part) => {
      const text = this.rest.slice(...part)
      const [row, ...more] = isClaim(this.table, text) ? this.within(part) : []
      if (row === undefined || more.length > 0) return []
      const columns = columnsIn(this.table, text).filter((column) => numeric(row[column]) !== undefined)
      if (columns.length === 0) return []
      const isWrong = !columns.some((column) => {
        const value = numeric(row[column])!
        return isEnd(this.table, column, text, { value, from: value, to: value })
      })
      return [{ said: this.text.slice(...part).trim(), isWrong }]
    })
  }

  /** What the first row that is named comes to beside the second, or else any other, in the columns that are spoken of. */
  ratios({ text }: NumberFigure): number[] {
    const { rows } = this.table
    const [first, second] = this.rows
    if (first === undefined) return []
    const isGrowth = /(?:ed|iert|facht|oppelt)$/.test(text)
    const others =
      second !== undefined
        ? [second]
        : isPeriodic(this.table)
          ? [rows[rows.indexOf(first) - 1] ?? first, rows[0]!]
          : isGrowth
            ? []
            : rows
    const isTurned = /(?<!\p{L})(?:compared|versus|unlike|relative|against)(?!\p{L})/iu.test(
      this.rest.slice(0, this.names[0]!.at),
    )
    return columnsIn(this.table, this.rest).flatMap((column) =>
      others.flatMap((other) => {
        const [a, b] = [numeric(first[column]) ?? 0, numeric(other[column]) ?? 0]
        return a === 0 || b === 0 || other === first ? [] : [isTurned ? b / a : a / b]
      }),
    )
  }

  private prints(row: Row, figure: NumberFigure, columns: readonly string[] = []): boolean {
    return isPrintedOf(row, figure, columns.length > 0 ? columns : this.table.columns, this.totalOf)
  }

  /** Of a column of a whole table; of a part of one nothing is known. */
  private readonly totalOf = (column: string): number => {
    const { rows, truncated } = this.table
    const total = this.totals.get(column) ?? (truncated === true ? 0 : sumOf(rows, column))
    this.totals.set(column, total)
    return total
  }

  /** The rows that are named there: of a name and a period those that have both; of several periods, of one alone. */
  private within([from, to]: Span, only?: Name): Row[] {
    const names = this.names.filter(({ at }) => at >= from && at < to)
    const called = new Set(names.flatMap(({ rows, isPeriod }) => (isPeriod ? [] : rows)))
    const dated = new Set(names.flatMap((name) => (name.isPeriod && (only ?? name) === name ? name.rows : [])))
    const both = [...called].filter((row) => dated.has(row))
    return both.length > 0 ? both : [...(called.size > 0 ? called : dated)]
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
function clausesOf(text: string, figures: readonly number[]): Span[] {
  const places = figures.toSorted((a, b) => a - b)
  const clauses: Span[] = []
  let [start, next] = [0, 0]
  for (const [from, to] of partsOf(text, CLAUSE)) {
    const first = next
    while (places[next] !== undefined && places[next]! < to) next++
    if (next === first && !/\d/.test(text.slice(from, to))) continue
    clauses.push([start, to])
    start = to
  }
  return clauses
}
