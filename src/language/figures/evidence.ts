import { isYear as isYearColumn } from '../../core/locale.ts'
import type { Table } from '../../core/table.ts'
import { monthsOf, says, type PartialDate } from './dates.ts'
import { derivedFrom, hasCount, holds, isPeriodic, numeric, ofUnit, type Derived } from './derive.ts'
import { Statements } from './elsewhere.ts'
import { figuresIn, type Figure, type NumberFigure } from './read.ts'
import { negative, plainDigits, scaled, sharpened, type Reading } from './printed.ts'
import { ratedIn } from './rates.ts'
import { FALLEN } from './row-words.ts'
import { stem } from '../tokens.ts'
import { isShare, kindsLike, PERCENT, RATIO, SHARE, singleUnits, THINGS, unitOfColumn, type Unit } from './units.ts'

/** What an answer may rest on: what a person, a source or a tool said, and the tables that were found. */
export interface Material {
  readonly texts: readonly string[]
  readonly tables: readonly Table[]
}

/** Cells of text behind this row are read only where they are a plain number or date. */
const READ_ROWS = 500
/** “Double that”: what to multiply by, in words. */
const MULTIPLES: readonly (readonly [RegExp, number])[] = [
  [/\b(?:double|doubled|twice|half|halve|halved|verdopp\p{L}+|doppelt)\b/iu, 2],
  [/\b(?:triple|thrice|verdreifach\p{L}+)\b/iu, 3],
]
/** What is written without its sign where words say that it went or lies below. */
const BELOW =
  /(?<!\p{L})(?:less|lower|fewer|minus|negativ|below|deficit|loss|losing|reduc|short|ow[ei]|debt|debit|refund|credit|return|differ|gap|outflow|under|behind|cut|weniger|Verlust|verl[io]|sinkt|Rückgang|rückläufig|niedriger|abgenommen|unter|Schuld|Gutschrift|Defizit|baiss|pert[ed]|moins|dimin|recul|déficit|dette|pérdida|menos|baj[óao]|ca[íy]|disminu|reduj|calo|perdita|meno|diminu|queda|verlies|minder|daal|gedaald)/iu
/** A percentage by its name in a text, as in “discount_percent: 15”. */
const SHARE_VALUE = new RegExp(String.raw`(?:${SHARE})\w{0,20}["']?\s?[:=|]\s?["']?(-?\d{1,12}(?:\.\d{1,12})?)`, 'gi')
const ISO_DAY = /^\d{4}-\d\d(?:-\d\d)?(?:[T ]|$)/

/** Material in a form in which figures are found. Nothing is read before the first question. */
export class Evidence {
  private readonly material: Material
  private index: Index | undefined

  constructor(material: Material) {
    this.material = material
  }

  /**
   * Whether the figure stands in it as it is, in whatever form it is printed; for a number, the value that is meant. With
   * the sentence it stands in, its sign must be right as well.
   */
  find(figure: Figure, sentence?: string): { readonly value?: number } | undefined {
    const { percents, dates, letters } = this.known
    if (figure.kind === 'name' && figure.isLiteral === true) return this.holdsLiterally(figure.text) ? {} : undefined
    if (figure.kind === 'name') return isSaid(figure.text, letters) ? {} : undefined
    if (figure.kind === 'date') return figure.dates.some((date) => isKnown(date, dates, this.known)) ? {} : undefined
    const own = (reading: Reading): number | undefined =>
      figure.isPercent ? holds(percents, reading) : this.holdsQuantity(reading, figure.unit)
    const mayBeBelow = sentence === undefined || BELOW.test(sentence) || FALLEN.test(sentence)
    for (const reading of figure.readings) {
      const value = own(reading) ?? (reading.value > 0 && mayBeBelow ? own(negative(reading)) : undefined)
      if (value !== undefined) return { value }
      const part = figure.isPercent ? holds(this.known.numbers, scaled(reading, 0.01)) : undefined
      if (part !== undefined) return { value: reading.value }
      if (isYear(figure, reading.value) && figure.isYear !== false && this.known.years.has(reading.value)) return {}
      if (figure.isOrdinal && this.material.tables.some(({ rowCount }) => reading.value <= rowCount)) return {}
    }
    return undefined
  }

  /** What follows from its tables, in this unit. */
  derived(unit?: Unit): Derived {
    const kind = unit === undefined ? '' : `${unit.kind} ${unit.size}`
    const derived =
      this.known.derived.get(kind) ?? derivedFrom(this.material.tables.map((table) => ofUnit(table, unit)))
    this.known.derived.set(kind, derived)
    return derived
  }

  get tables(): readonly Table[] {
    return this.material.tables
  }

  get texts(): readonly string[] {
    return this.material.texts
  }

  /** What is read in its texts, once. */
  inTexts<T>(read: (text: string) => readonly T[]): readonly T[] {
    const known = this.known.readings.get(read) ?? this.material.texts.flatMap(read)
    this.known.readings.set(read, known)
    return known as readonly T[]
  }

  get values(): readonly number[] {
    return this.known.numbers
  }

  /** Whether it says these words, whatever stands between them. */
  mentions(text: string): boolean {
    return isSaid(text, this.known.letters)
  }

  /** Whether it says each of these words, in the singular or plural; part of a longer word does not count. */
  names(text: string): boolean {
    return wordsOf(text).every((word) => this.words.has(word))
  }

  /** Its texts, sentence by sentence. */
  get statements(): Statements {
    const of = (one: string): Evidence => new Evidence({ texts: [one], tables: [] })
    return (this.known.statements ??= new Statements(this.material.texts, of))
  }

  /** The words that it says, without endings. */
  get words(): ReadonlySet<string> {
    return (this.known.words ??= new Set(this.said().flatMap(wordsOf)))
  }

  /** Its numbers as printed and in the smallest unit of their kind, and its years. */
  get amounts(): ReadonlySet<number> {
    return new Set([...this.known.numbers, ...[...this.known.units.values()].flat(), ...this.known.years])
  }

  /** What a person asked, where that comes first. */
  get asked(): string {
    return this.material.texts[0] ?? ''
  }

  /** With its unit, with another that is exactly so many of it, or where none stands beside it. */
  private holdsQuantity(reading: Reading, unit: Unit | undefined): number | undefined {
    const { numbers, units } = this.known
    if (unit === undefined) return holds(numbers, reading)
    const bare = unit === RATIO ? undefined : holds(units.get('') ?? [], reading)
    if (bare !== undefined) return bare
    for (const kind of kindsLike(unit)) {
      const same = holds(units.get(`${kind} ${unit.size}`) ?? [], reading)
      if (same !== undefined) return same
      const other = holds(units.get(kind) ?? [], scaled(sharpened(reading, 0.1), unit.size))
      if (other !== undefined) return other / unit.size
    }
    return undefined
  }

  /** What a rate comes to beside the amounts of its own sentence: “1,200 EUR net, VAT 19%”. */
  rated(unit: Unit | undefined): readonly number[] {
    return this.inTexts(ratedIn).flatMap((one) =>
      unit === undefined || kindsLike(unit).includes(one.kind) ? [one.value] : [],
    )
  }

  private holdsLiterally(text: string): boolean {
    const literal = text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
    const alone = new RegExp(String.raw`(?<![\p{L}\p{N}]|\d[.,])${literal}(?![.,]?\d|[\p{L}\p{N}])`, 'u')
    this.known.plain ??= this.said().map(plainDigits)
    return this.known.plain.some((one) => alone.test(one))
  }

  /** All that is text in it. */
  private said(): string[] {
    const cells = this.material.tables.flatMap(({ columns, rows }) => [
      ...columns,
      ...rows.flatMap((row) => columns.flatMap((column) => textsIn(row[column]))),
    ])
    return [...this.material.texts, ...cells]
  }

  private get known(): Index {
    return (this.index ??= indexOf(this.material))
  }
}

interface Index {
  /** In ascending order. */
  readonly numbers: readonly number[]
  /** Those of them that are percentages. */
  readonly percents: readonly number[]
  readonly dates: readonly PartialDate[]
  /** All letters and digits of the material, in lower case. */
  readonly letters: string
  /** Months and quarters that have a column of their own. */
  readonly months: ReadonlySet<number>
  /** In ascending order: by kind in the smallest unit, by kind and size as printed, and under '' those without a unit. */
  readonly units: ReadonlyMap<string, readonly number[]>
  readonly readings: Map<unknown, readonly unknown[]>
  readonly derived: Map<string, Derived>
  words?: ReadonlySet<string>
  statements?: Statements
  plain?: readonly string[]
  readonly years: ReadonlySet<number>
}

function indexOf({ texts, tables }: Material): Index {
  const numbers = new Set<number>()
  const units = new Map<string, Set<number>>()
  const list = (key: string, value: number): void => {
    const values = units.get(key)
    if (values === undefined) units.set(key, new Set([value]))
    else values.add(value)
  }
  const add = (value: number, unit: Unit | undefined): void => {
    numbers.add(value)
    if (unit === undefined) list('', value)
    else {
      list(unit.kind, value * unit.size)
      list(`${unit.kind} ${unit.size}`, value)
    }
  }
  const percents = new Set<number>()
  const dates: PartialDate[] = []
  const months = new Set<number>()
  const letters = texts.map(lettersOf)
  const read = (text: string): void => {
    for (const figure of figuresIn(text, { decimalComma: true })) {
      if (figure.kind === 'number' && figure.isYear === true) dates.push({ year: figure.readings[0]!.value })
      else if (figure.kind === 'number') {
        for (const { value } of figure.readings) {
          add(value, figure.isPercent ? PERCENT : figure.unit)
          if (figure.isPercent) percents.add(value)
        }
      }
      if (figure.kind === 'date') dates.push(...figure.dates)
    }
  }
  for (const text of texts) {
    read(text)
    for (const [, share] of text.matchAll(SHARE_VALUE)) percents.add(Number(share))
    for (const unit of singleUnits(text)) add(1, unit)
    for (const [words, value] of MULTIPLES) if (words.test(text)) numbers.add(value)
  }
  for (const table of tables) {
    const { columns, rows, rowCount } = table
    letters.push(...columns.map(lettersOf))
    // Rows by day or by month are as many days or months.
    if (hasCount(table)) add(rowCount, isPeriodic(table) ? undefined : THINGS)
    rows.forEach((row, place) => {
      for (const column of columns) {
        const cell = row[column]
        const number = numeric(cell)
        if (number !== undefined && isYearColumn(column, number)) dates.push({ year: number })
        else if (number !== undefined) {
          add(number, unitOfColumn(column))
          if (isShare(column)) percents.add(number)
          if (/ratio|factor|multiple/i.test(column)) add(number, RATIO)
          if (/cents?$|pence$|minor$/i.test(column)) add(number / 100, undefined)
          for (const month of monthsOf(column, number)) months.add(month)
        } else if (typeof cell === 'string') {
          letters.push(lettersOf(cell))
          if (place < READ_ROWS || ISO_DAY.test(cell)) read(cell)
        } else if (typeof cell === 'object' && cell !== null) {
          letters.push(lettersOf(JSON.stringify(cell)))
          read(JSON.stringify(cell))
        }
      }
    })
  }
  return {
    numbers: sorted(numbers),
    percents: sorted(percents),
    dates,
    years: new Set(dates.flatMap(({ year }) => year ?? [])),
    letters: letters.join('\n'),
    months,
    derived: new Map(),
    readings: new Map(),
    units: new Map([...units].map(([key, values]) => [key, sorted(values)])),
  }
}

function sorted(numbers: ReadonlySet<number>): number[] {
  return [...numbers].toSorted((a, b) => a - b)
}

function isKnown(claimed: PartialDate, dates: readonly PartialDate[], { months, numbers }: Index): boolean {
  if (dates.some((known) => says(known, claimed))) return true
  // Year and month may stand in columns of their own.
  if (claimed.day !== undefined || claimed.months === undefined || !claimed.months.every((one) => months.has(one)))
    return false
  const { year } = claimed
  return year === undefined || numbers.includes(year) || dates.some((date) => date.year === year)
}

function isYear({ isPercent }: NumberFigure, value: number): boolean {
  return !isPercent && Number.isInteger(value) && value >= 1500 && value < 2200
}

/** Quotations may leave something out; each piece must stand there. */
function isSaid(text: string, letters: string): boolean {
  const pieces = text.split(/…|\.{3}/).map(lettersOf)
  return pieces.every((piece) => letters.includes(piece))
}

function lettersOf(text: string): string {
  return plainDigits(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
}

function textsIn(cell: unknown): string[] {
  if (typeof cell === 'string') return [cell]
  return typeof cell === 'object' && cell !== null ? [JSON.stringify(cell)] : []
}

/** Its words without endings; of “orderCount” the parts as well. */
export function wordsOf(text: string): string[] {
  return (text.normalize('NFKC').match(/\p{L}[\p{L}\p{M}]*/gu) ?? []).flatMap((word) => {
    const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})/u)
    return [...new Set([word, ...parts])].map((one) => stem(one.toLowerCase()))
  })
}
