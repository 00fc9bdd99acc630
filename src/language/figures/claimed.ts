import type { Table } from '../../core/table.ts'
import { medianOf, numeric } from './derive.ts'
import type { Evidence } from './evidence.ts'
import type { RowsNamed } from './labels.ts'
import type { Lines } from './lines.ts'
import { aggregateOfColumn, columnsCalled, measuresOf, saidOf, type Aggregate, type Said } from './measures.ts'
import type { Figure, NumberFigure } from './read.ts'
import { isPrinted, sumOf, type Row } from './rows.ts'
import { isGroupedOnly, RATIO, THINGS } from './units.ts'

/** Where one is divided by another, or compared, a figure is of neither alone. */
const OF_BOTH =
  /(?<!\p{L})(?:per|each|every|apiece|differ\p{L}*|by|up|down|minus|less|more|fewer|than|pro|je|jeweils|typical\p{L}*|usual\p{L}*)(?!\p{L})/iu
const PART_OF =
  /(?<!\p{L})(?:all|every|across|entire|whole|compan\p{L}*|above|below|than|against|compared|versus|exceed\p{L}*|alle\p{L}*|über|unter|als)(?!\p{L})/iu
const OTHERS =
  /(?<!\p{L})(?:without|besides|excluding|except|rest|remaining|others?|top|first|last|bottom|ohne|übrigen|ersten)(?!\p{L})/iu
const EACH = /(?<!\p{L})(?:per|each|every|pro|je|jeweils)(?!\p{L})/iu
/** Tables with more rows, or more figures in them, are held against the rest of the check alone. */
const MOST_ROWS = 200
const MOST_PREFIXES = 20

/**
 * What a sentence says that its figures are: of which column, of which rows, and computed how. A figure that is something else of
 * the same table, and not that, is not supported.
 */
export class Claimed {
  private readonly named: RowsNamed
  private readonly said: ReadonlyMap<NumberFigure, Said>
  private readonly header: readonly string[]
  private readonly title: string
  private readonly asked: readonly Aggregate[]

  /** With what stands above the sentence; `common` says what was asked. */
  constructor(named: RowsNamed, figures: readonly Figure[], { header, title }: Lines, common: Evidence) {
    this.named = named
    this.header = header
    this.asked = (['mean', 'median', 'total'] as const).filter((one) =>
      common.asked.split(/[^\p{L}]+/u).some((word) => aggregateOfColumn(word) === one),
    )
    const isPossible = named.table.rows.length > 0 && named.table.rows.length <= MOST_ROWS
    const numbers = figures.filter(
      (figure): figure is NumberFigure => figure.kind === 'number' && named.rest[figure.at] !== '_',
    )
    // An item of one figure alone is of what the heading above says.
    this.title = numbers.length === 1 ? title : ''
    this.said = isPossible
      ? saidOf(named.table, named.rest, numbers, (figure) => named.clauseOf(figure).span)
      : new Map<NumberFigure, Said>()
  }

  /** Whether it is told to be something else than it is; undefined where the table has no such figure, or nothing is told. */
  isOther(figure: NumberFigure): boolean | undefined {
    const said = this.saidOf(figure)
    if (said === undefined || figure.isPercent || figure.isOrdinal || figure.unit === RATIO) return undefined
    if (this.named.isDenied(figure)) return undefined
    const { table } = this.named
    const { whose, text } = this.named.clauseOf(figure)
    const all = measuresOf(table)
    if (said.aggregate === undefined) {
      if (said.columns.length === 0 || said.columns.length === all.length || OF_BOTH.test(text)) return undefined
      const columns = this.plain(said.columns)
      if (this.isAny(figure, columns, whose, OTHERS.test(text))) return false
      const others = all.filter((column) => !columns.includes(column))
      // Their own figures in other columns, or those of others in this one.
      return this.isAny(figure, others, whose) || this.isAny(figure, columns, []) || undefined
    }
    if (table.truncated === true) return undefined
    if (this.isComputed(figure, said, said.columns.length > 0 ? said.columns : all, whose, text)) return false
    return this.isAny(figure, all, whose) || this.isAny(figure, all, []) || undefined
  }

  /** In a row of a printed table, its column's heading says what a figure is. */
  private saidOf(figure: NumberFigure): Said | undefined {
    const said = this.said.get(figure)
    const cell =
      this.header[
        this.named.rest
          .slice(0, figure.at)
          .replace(/^\s*\|/, '')
          .split('|').length - 1
      ]
    if (said !== undefined && cell === undefined && said.columns.length === 0 && this.title !== '') {
      // “Top branches by orders” may tell what these sold.
      const isMoney = figure.unit !== undefined && isGroupedOnly(figure.unit) && figure.unit !== THINGS
      const title = isMoney ? this.title.split(/(?<!\p{L})(?:by|nach)(?!\p{L})/u)[0]! : this.title
      return { ...said, columns: columnsCalled(this.named.table, title) }
    }
    if (said === undefined || cell === undefined) return said
    return { ...said, columns: columnsCalled(this.named.table, cell) }
  }

  /** “Revenue”, of “total_revenue” and “average_revenue”, is the total. */
  private plain(columns: readonly string[]): readonly string[] {
    const plain = columns.filter((column) => ['total', undefined].includes(aggregateOfColumn(column) as undefined))
    return plain.length > 0 && this.asked.every((one) => one === 'total') ? plain : columns
  }

  private isComputed(
    figure: NumberFigure,
    { aggregate, isBehind }: Said,
    columns: readonly string[],
    whose: readonly Row[],
    text: string,
  ): boolean {
    const { table, subject } = this.named
    const own = columns.filter((column) => aggregateOfColumn(column) === aggregate)
    const plain = columns.filter((column) => aggregateOfColumn(column) === undefined)
    const isOfAll = isBehind || PART_OF.test(text) || this.named.isUnderHeading
    const sets = [
      ...(whose.length > 0 ? [whose] : subject.length > 0 ? [subject] : []),
      ...(whose.length === 0 || isOfAll ? [table.rows] : []),
      ...(OTHERS.test(text) ? othersOf(table, whose) : []),
    ]
    const isCell = (some: readonly string[], rows: readonly Row[]): boolean =>
      some.some((column) => rows.some((row) => isPrinted(numeric(row[column]) ?? Number.NaN, figure)))
    // A column that is not named by how it was computed may have been, as it was asked for.
    const isTold = this.asked.includes(aggregate!) || (aggregate === 'total' && table.rows.length === 1)
    const rowsOf = whose.length > 0 ? whose : table.rows
    return (
      isCell(own, rowsOf) ||
      (isTold && isCell(plain, rowsOf)) ||
      sets.some((rows) =>
        [
          ...(rows.length > 1 || aggregate === 'total' ? [...own, ...plain] : []).flatMap((column) =>
            aggregateOf(rows, column, aggregate!),
          ),
          ...(aggregate === 'mean' ? eachOf(table, rows, columns, EACH.test(text) ? undefined : columns) : []),
        ].some((one) => isPrinted(one, figure)),
      )
    )
  }

  /** Whether it is a cell of one of these columns, or the sum, mean or median of one, also of its first or last rows. */
  private isAny(figure: NumberFigure, columns: readonly string[], whose: readonly Row[], isOfSome = false): boolean {
    const { rows } = this.named.table
    const own = whose.length > 0 ? whose : rows
    return columns.some((column) => {
      const cells = own.flatMap((row) => numeric(row[column]) ?? [])
      const sets = isOfSome ? [own, ...prefixes(rows)] : [own]
      const aggregates = sets.flatMap((set) =>
        (['total', 'mean', 'median'] as const).flatMap((one) => aggregateOf(set, column, one)),
      )
      return [...cells, ...aggregates].some((value) => isPrinted(value, figure))
    })
  }
}

/** Of one of the columns for each of another, which is one of `per` where it was not said which. */
function eachOf(table: Table, rows: readonly Row[], columns: readonly string[], per?: readonly string[]): number[] {
  const all = measuresOf(table)
  return all.flatMap((column) =>
    (per ?? all).flatMap((other) => {
      const each = sumOf(rows, column) / sumOf(rows, other)
      const isSaid = per !== undefined || columns.includes(column) || columns.includes(other)
      return other !== column && isSaid && Number.isFinite(each) ? [each] : []
    }),
  )
}

function aggregateOf(rows: readonly Row[], column: string, aggregate: Aggregate): number[] {
  const values = rows.flatMap((row) => numeric(row[column]) ?? [])
  if (values.length === 0) return []
  const total = values.reduce((sum, value) => sum + value, 0)
  if (aggregate === 'total') return [total]
  if (aggregate === 'mean') return [total / values.length, total / rows.length]
  return [medianOf(values)]
}

/** The first rows, the last ones, and those that are left without what is named. */
function othersOf({ rows }: Table, whose: readonly Row[]): (readonly Row[])[] {
  return [rows.filter((row) => !whose.includes(row)), ...prefixes(rows)]
}

function prefixes(rows: readonly Row[]): (readonly Row[])[] {
  return Array.from({ length: Math.min(rows.length, MOST_PREFIXES) }, (_, i) => [
    rows.slice(0, i + 1),
    rows.slice(i + 1),
  ]).flat()
}
