import type { Table } from '../../core/table.ts'
import { comesOf } from './comes-of.ts'
import { wordsOf } from './evidence.ts'
import { extremeIn, isEnd } from './extremes.ts'
import { sharpened } from './printed.ts'
import { inTurn } from './in-turn.ts'
import { isOfSpoken } from './pronouns.ts'
import { CLAUSE, clausesOf, partAt, partsOf, placesOf, type Span } from './parts.ts'
import { readable, type DateFigure, type Figure, type NumberFigure } from './read.ts'
import { claimedIn, isOf, periodsOf } from './row-periods.ts'
import {
  AGAINST,
  BEHIND,
  BESIDE,
  BESIDE_WHICH,
  BOUND,
  EXCEPT,
  isNot,
  RANGE,
  WHOLE,
  withoutNot,
  withoutWords,
} from './row-words.ts'
import { measuresOf } from './measures.ts'
import { isPrintedOf, sumOf, withReadings, type Row } from './rows.ts'
import { isShare, RATIO } from './units.ts'

/** Tables with more rows are lists that nobody reads out. */
const MOST_ROWS = 200

/** What the lines before a sentence say of the rows of each table. */
export interface Above {
  readonly heading: ReadonlyMap<Table, readonly Row[]>
  readonly subject: ReadonlyMap<Table, readonly Row[]>
  /** Those of the sentence right before, of which a pronoun speaks. */
  readonly spoken: ReadonlyMap<Table, readonly Row[]>
}

export const NOTHING_ABOVE: Above = { heading: new Map(), subject: new Map(), spoken: new Map() }
/** An item of a list, or a line of a name and a value. */
export const ITEM = /^\s*(?:[-+*•]\s|\d{1,2}[.)]\s|[*_]*\p{L}[\p{L} ]{0,40}[*_]*:)/u

interface Name {
  readonly at: number
  readonly length: number
  readonly rows: readonly Row[]
  /** Whether it is a day or a period, which rows may have beside a name. */
  readonly isPeriod: boolean
}

/** What a sentence says of the rows of one table. */
export class RowsNamed {
  readonly table: Table
  /** The sentence with the names blanked: none of their words or digits is read as anything else. */
  readonly rest: string
  /** The rows that the lines before spoke of last. */
  readonly subject: readonly Row[]
  /** Those of the heading above a list, whose items say nothing of whose they are. */
  private readonly heading: readonly Row[]
  /** Those of the sentence before, where this one begins with a pronoun. */
  private readonly spoken: readonly Row[]
  /** By the place of a figure, where names and figures are told in turn. */
  private readonly turns: ReadonlyMap<number, readonly Row[]>
  private readonly text: string
  /** In the order of the text. */
  private readonly names: Name[] = []
  private readonly clauses: readonly Span[]
  private readonly totals = new Map<string, number>()

  constructor(table: Table, sentence: string, figures: readonly Figure[], above: Above = NOTHING_ABOVE) {
    this.table = table
    this.subject = above.subject.get(table) ?? []
    this.heading = ITEM.test(sentence) ? (above.heading.get(table) ?? []) : []
    this.spoken = isOfSpoken(sentence, table) ? (above.spoken.get(table) ?? []) : []
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
      this.names.push(...places.map((at) => ({ at, length: name.length, rows, isPeriod: false })))
    }
    const claimed = table.rows.length > MOST_ROWS ? [] : claimedIn(rest, figures)
    const periods = claimed.length === 0 ? [] : table.rows.map((row) => periodsOf(table, row))
    for (const one of claimed) {
      const rows = table.rows.filter((_, place) => isOf(periods[place]!, one))
      if (rows.length === 0) continue
      rest = rest.slice(0, one.at) + '_'.repeat(one.length) + rest.slice(one.at + one.length)
      // What all have tells none from another.
      if (rows.length < table.rows.length || rows.length === 1)
        this.names.push({ at: one.at, length: one.length, rows, isPeriod: true })
    }
    this.names.sort((a, b) => a.at - b.at)
    this.rest = rest
    const numbers = figures.flatMap((figure) =>
      figure.kind === 'number' && rest[figure.at] !== '_' ? [{ at: figure.at, length: figure.text.length }] : [],
    )
    this.clauses = clausesOf(
      withoutNot(withoutWords(rest, numbers)),
      numbers.map(({ at }) => at),
    )
    this.turns = inTurn(
      rest,
      this.names,
      numbers.toSorted((a, b) => a.at - b.at),
    )
  }

  /** Each row that is named, in the order of the text. */
  get rows(): readonly Row[] {
    return this.within([0, this.rest.length])
  }

  /** The same with those of which a pronoun speaks before them. */
  get together(): readonly Row[] {
    return [...new Set([...this.spoken, ...this.rows])]
  }

  /**
   * Whether the sentence gives a figure of other rows to those that its clause names. A clause that names no row, or a figure
   * that stands nowhere in the table, says nothing of rows.
   */
  isOfOther(figure: NumberFigure): boolean | undefined {
    const { columns, rows } = this.table
    const { isPercent } = figure
    if (rows.length < 2 || rows.length > MOST_ROWS || figure.isOrdinal || figure.unit === RATIO) return undefined
    if (this.rest[figure.at] === '_' || figure.isPoints === true || this.isDenied(figure)) return undefined
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
      const isAgainst = AGAINST.test(this.rest.slice(0, figure.at)) && having.some((row) => this.rows.includes(row))
      return !isTheirs && !isAgainst && !comesOf(this, figure, whose, text)
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
      !comesOf(this, figure, whose, text)
    )
  }

  /** Whether what it says is of the rows of the heading above. */
  get isUnderHeading(): boolean {
    return this.heading.length > 0 && this.rows.length === 0
  }

  /** The clause of a figure, and the rows that it names. */
  clauseOf({ at }: { readonly at: number }): { whose: readonly Row[]; text: string; span: Span } {
    const clause = partAt(this.clauses, at) ?? [0, this.rest.length]
    const behind = BEHIND.exec(this.rest.slice(at, at + 80))?.[0].length ?? 0
    const own = this.names.find((name) => name.isPeriod && name.at === at + behind)
    const beside = BESIDE.exec(this.rest.slice(at, at + 80))?.[0].length
    const bracketed = beside === undefined ? undefined : this.names.find((name) => name.at === at + beside)
    const named = bracketed?.rows ?? this.turns.get(at) ?? this.within(clause, own, at)
    // In a row of a printed table the first cell says whose it is.
    const before = named.length === 0 && this.rest.includes('|') ? this.within([0, at]) : named
    const text = this.rest.slice(...clause)
    const isSpoken =
      (this.rows.length === 0 || clause[0] === 0) &&
      extremeIn(text) === undefined &&
      !WHOLE.test(text) &&
      !BOUND.test(this.rest.slice(Math.max(clause[0], at - 40), at))
    const above = this.rows.length === 0 ? this.heading : []
    const whose = before.length > 0 ? before : above.length > 0 ? above : isSpoken ? this.spoken : []
    return { whose, text, span: clause }
  }

  /** Whether it is said not to be so many: “not 234 but 111”. */
  isDenied({ at, text }: NumberFigure): boolean {
    return isNot(this.rest.slice(Math.max(0, at - 40), at), this.rest.slice(at + text.length, at + text.length + 40))
  }

  /** The columns that are called as what is counted, or as that of which a percentage is told. */
  private columnsBehind({ at, isPercent }: NumberFigure): readonly string[] {
    const behind = this.rest.slice(at, at + 80)
    const word = isPercent
      ? /^[^,;|()]{0,20}? of (?:the |all |our |its )?(\p{Ll}+)(?!\p{L})/u.exec(behind)?.[1]
      : /^[\d.,]+ (?:\p{Ll}+ )?(\p{Ll}+s)(?!\p{L})/u.exec(behind)?.[1]
    const columns = measuresOf(this.table)
    const named = columns.filter((column) => wordsOf(column).includes(wordsOf(word ?? '')[0] ?? ''))
    return isPercent && named.length > 0 ? [...named, ...columns.filter(isShare)] : named
  }

  /** Whether a day is told of rows that are named beside it, and which have another. */
  isDayOfOther({ at }: DateFigure): boolean | undefined {
    const [from, to] = partAt(this.parts(CLAUSE), at) ?? [0, 0]
    const own = this.names.find((name) => name.isPeriod && name.at === at)
    const called = this.namesIn([from, to]).flatMap(({ rows, isPeriod }) => (isPeriod ? [] : rows))
    if (own === undefined || called.length === 0 || RANGE.test(this.rest.slice(from, to))) return undefined
    return !called.some((row) => own.rows.includes(row))
  }

  /** Its parts between these marks. */
  parts(mark: RegExp): Span[] {
    return partsOf(this.rest, mark)
  }

  /** The words as they stand there. */
  textOf(span: Span): string {
    return this.text.slice(...span).trim()
  }

  /** The rows of what is named last there: of a name and a period that stand there, those that have both. */
  last(span: Span): readonly Row[] | undefined {
    return this.withPeriod(span, this.namesIn(span).at(-1))
  }

  /** The rows of what is named first there. */
  first(span: Span): readonly Row[] | undefined {
    return this.withPeriod(span, this.namesIn(span)[0])
  }

  /** The rows of each day or period that is named there, where rows have a name beside it. */
  periodsIn(span: Span): readonly (readonly Row[])[] {
    const names = this.namesIn(span)
    return names.every(({ isPeriod }) => isPeriod)
      ? []
      : names.flatMap(({ isPeriod, rows }) => (isPeriod ? [rows] : []))
  }

  /** The rows that are named there. */
  rowsIn(span: Span): readonly Row[] {
    return this.within(span)
  }

  /** Where the first name stands. */
  get start(): number {
    return this.names[0]?.at ?? 0
  }

  private namesIn([from, to]: Span): readonly Name[] {
    return this.names.filter(({ at }) => at >= from && at < to)
  }

  private withPeriod(span: Span, name: Name | undefined): readonly Row[] | undefined {
    const called = name?.isPeriod === true ? (this.namesIn(span).findLast(({ isPeriod }) => !isPeriod) ?? name) : name
    return called?.rows
  }

  private prints(row: Row, figure: NumberFigure, columns: readonly string[] = []): boolean {
    return isPrintedOf(row, figure, columns.length > 0 ? columns : this.table.columns, this.totalOf)
  }

  /** Of a column of a whole table; of a part of one nothing is known. */
  readonly totalOf = (column: string): number => {
    const { rows, truncated } = this.table
    const total = this.totals.get(column) ?? (truncated === true ? 0 : sumOf(rows, column))
    this.totals.set(column, total)
    return total
  }

  /** The rows that are named there: of a name and a period those that have both; of several periods, of one alone. */
  private within(span: Span, only?: Name, figureAt = Number.POSITIVE_INFINITY): Row[] {
    const names = this.namesIn(span).filter(({ at }) => {
      const before = this.rest.slice(Math.max(0, at - 40), at)
      return at < figureAt ? figureAt === Number.POSITIVE_INFINITY || !EXCEPT.test(before) : !BESIDE_WHICH.test(before)
    })
    const called = new Set(names.flatMap(({ rows, isPeriod }) => (isPeriod ? [] : rows)))
    const dated = new Set(names.flatMap((name) => (name.isPeriod && (only ?? name) === name ? name.rows : [])))
    const both = [...called].filter((row) => dated.has(row))
    return both.length > 0 ? both : [...(called.size > 0 ? called : dated)]
  }
}
