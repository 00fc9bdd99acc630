import type { Table } from '../../core/table.ts'
import { says, type PartialDate } from './dates.ts'
import { derivedFrom, holds, ofUnit, type Derived } from './derive.ts'
import { Statements } from './elsewhere.ts'
import { indexOf, lettersOf, type Index, type Material } from './evidence-index.ts'
import type { Figure, NumberFigure } from './read.ts'
import { negative, plainDigits, scaled, sharpened, type Reading } from './printed.ts'
import { ratedIn } from './rates.ts'
import { FALLEN } from './row-words.ts'
import { stem } from '../tokens.ts'
import { kindsLike, RATIO, type Unit } from './units.ts'

/** What is written without its sign where words say that it went or lies below. */
const BELOW =
  /(?<!\p{L})(?:less|lower|fewer|minus|negativ|below|deficit|loss|losing|reduc|short|ow[ei]|debt|debit|refund|credit|return|differ|gap|outflow|under|behind|cut|weniger|Verlust|verl[io]|sinkt|Rückgang|rückläufig|niedriger|abgenommen|unter|Schuld|Gutschrift|Defizit|baiss|pert[ed]|moins|dimin|recul|déficit|dette|pérdida|menos|baj[óao]|ca[íy]|disminu|reduj|calo|perdita|meno|diminu|queda|verlies|minder|daal|gedaald)/iu
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
