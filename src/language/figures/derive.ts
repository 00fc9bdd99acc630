import { isYear } from '../../core/locale.ts'
import type { Table } from '../../core/table.ts'
import type { Reading } from './printed.ts'
import { inUnit, isShare, THINGS, TIME_NAME, unitOfColumn, type Unit } from './units.ts'

/** What follows from tables without being a cell of them. All lists are in ascending order. */
export interface Derived {
  /** Of rows, of different values, of rows with the same value: whole and exact. */
  readonly counts: readonly number[]
  /** Sums, averages and medians of columns and of the rows of one kind. */
  readonly sums: readonly number[]
  /** Differences and ratios between columns and between rows that follow each other. */
  readonly relations: readonly number[]
  /** How many times as much one is as the other, of the same. */
  readonly ratios: readonly number[]
  /** Shares and growth, in percent. */
  readonly percents: readonly number[]
}

/** A column that says what kind a row is has at most so many kinds. */
const MOST_KINDS = 50
/** Sums of the first rows, as in “the top five together”. */
const FIRST_ROWS = 20
/** Rows that are compared with the next one. */
const COMPARED_ROWS = 60

interface Column {
  readonly name: string
  readonly values: readonly (number | undefined)[]
}

/** Recomputes what an answer may say of tables. Of a table that was cut off, nothing is said about the whole. */
export function derivedFrom(tables: readonly Table[]): Derived {
  const found = {
    counts: new Set<number>(),
    sums: new Set<number>(),
    relations: new Set<number>(),
    ratios: new Set<number>(),
    percents: new Set<number>(),
  }
  for (const table of tables) if (table.truncated !== true && table.rows.length === table.rowCount) derive(table, found)
  const sorted = (numbers: ReadonlySet<number>): number[] =>
    [...numbers].filter(Number.isFinite).toSorted((a, b) => a - b)
  return {
    counts: sorted(found.counts),
    sums: sorted(found.sums),
    relations: sorted(found.relations),
    ratios: sorted(found.ratios),
    percents: sorted(found.percents),
  }
}

/** Without the columns that are named by another unit. */
export function ofUnit(table: Table, unit: Unit | undefined): Table {
  if (unit === undefined || unit === THINGS) return table
  return { ...table, columns: table.columns.filter((name) => inUnit(1, unitOfColumn(name), unit) === 1) }
}

type Found = Record<keyof Derived, Set<number>>

function derive({ columns, rows, rowCount }: Table, found: Found): void {
  const isCounted = hasCount({ columns, rows, rowCount })
  if (isCounted) found.counts.add(rowCount)
  const figures = columns.flatMap((name): Column[] => {
    const values = rows.map((row) => numeric(row[name]))
    const isFigure =
      values.some((value) => value !== undefined) &&
      rows.every((row, i) => values[i] !== undefined || row[name] == null)
    return isFigure && !/(?:^|_)id$|Id$/.test(name) && !values.some((value) => isYear(name, value))
      ? [{ name, values }]
      : []
  })
  const all = rows.map((_, place) => place)
  for (const { values } of figures) {
    addGroup(values, all, found)
    addSequence(values, found)
    // Rows that are no periods do not follow each other.
    if (!isPeriodic({ columns })) continue
    const known = values.flatMap((value) => value ?? [])
    known.slice(0, COMPARED_ROWS).forEach((value, place) => {
      for (const before of [known[place - 1], known[0]])
        if (before !== undefined && before !== 0) found.ratios.add(value / before)
    })
  }
  for (const name of columns) {
    const kinds = new Map<string, number[]>()
    for (const place of all) {
      const kind = String(rows[place]![name] ?? '')
      const places = kinds.get(kind)
      if (places === undefined) kinds.set(kind, [place])
      else places.push(place)
    }
    if (isCounted) found.counts.add(kinds.size)
    if (kinds.has('')) found.counts.add(rowCount - kinds.get('')!.length)
    if (kinds.size > MOST_KINDS || kinds.size === rowCount) continue
    for (const places of kinds.values()) {
      found.counts.add(places.length)
      found.percents.add((100 * places.length) / rowCount)
      for (const { values } of figures) addGroup(values, places, found)
    }
  }
  for (const one of figures)
    for (const other of figures)
      if (one !== other && isShare(one.name) === isShare(other.name)) addPair(one.values, other.values, found)
}

/** Whether its rows are days or periods, which follow each other. */
export function isPeriodic({ columns }: Pick<Table, 'columns'>): boolean {
  return columns.some((name) => TIME_NAME.test(name) && unitOfColumn(name) === undefined)
}

/** Whether its rows are things that are counted: one row of figures alone is a result, and not one of anything. */
export function hasCount({ columns, rows, rowCount }: Table): boolean {
  return (
    rowCount !== 1 ||
    columns.some((name) => typeof rows[0]?.[name] === 'string' && numeric(rows[0][name]) === undefined)
  )
}

/** Of the rows at these places: sum, mean, median, share of the whole. */
function addGroup(values: Column['values'], places: readonly number[], { sums, percents }: Found): void {
  const known = places.flatMap((place) => values[place] ?? [])
  if (known.length === 0) return
  const [sum, total] = [sumOf(known), sumOf(values)]
  sums.add(sum).add(sum / known.length)
  sums.add(medianOf(known))
  if (total !== 0) {
    percents.add((100 * sum) / total)
    if (known.length === values.length) for (const value of known) percents.add((100 * value) / total)
  }
}

/** Of rows in their order: sums of the first ones, steps and growth from one to the next and from first to last. */
function addSequence(values: Column['values'], { sums, relations, percents }: Found): void {
  const known = values.flatMap((value) => value ?? [])
  const total = sumOf(known)
  let sum = 0
  for (const value of known.slice(0, FIRST_ROWS)) {
    sum += value
    sums.add(sum).add(total - sum)
    if (total !== 0) percents.add((100 * sum) / total).add((100 * (total - sum)) / total)
  }
  const step = (before: number, after: number): void => {
    relations.add(Math.abs(after - before))
    if (before !== 0) percents.add(Math.abs((100 * (after - before)) / before))
    if (after !== 0) percents.add(Math.abs((100 * (after - before)) / after))
  }
  known.slice(1, COMPARED_ROWS).forEach((value, place) => step(known[place]!, value))
  if (known.length > 1) {
    step(known[0]!, known.at(-1)!)
    step(Math.min(...known.slice(0, 10_000)), Math.max(...known.slice(0, 10_000)))
  }
}

/** Of two columns, row by row and as a whole: difference, ratio, share. */
function addPair(one: Column['values'], other: Column['values'], { relations, ratios, percents }: Found): void {
  const relate = (a: number, b: number): void => {
    relations.add(a - b).add(a + b)
    if (b === 0) return
    relations.add(a / b)
    ratios.add(a / b)
    percents.add((100 * a) / b).add(Math.abs((100 * (a - b)) / b))
  }
  one.slice(0, COMPARED_ROWS).forEach((a, place) => {
    const b = other[place]
    if (a !== undefined && b !== undefined) relate(a, b)
  })
  if (one.length > 1) relate(sumOf(one), sumOf(other))
}

export function medianOf(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b)
  return (ordered[(values.length - 1) >> 1]! + ordered[values.length >> 1]!) / 2
}

function sumOf(values: Column['values']): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
}

/** The number in a cell; databases give exact decimals as text. */
export function numeric(cell: unknown): number | undefined {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : undefined
  if (typeof cell === 'boolean') return undefined
  return typeof cell === 'string' && /^-?\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : undefined
}

/** A number of an ascending list that may have been printed like this. */
export function holds(numbers: readonly number[], { from, to }: Reading): number | undefined {
  const slack = 1e-9 * Math.max(1, Math.abs(from), Math.abs(to))
  const first = numbers[firstFrom(numbers.length, (at) => numbers[at]! < from - slack)]
  return first !== undefined && first <= to + slack ? first : undefined
}

/** Of an ascending list of this length the first place that does not lie before. */
export function firstFrom(length: number, isBefore: (at: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
