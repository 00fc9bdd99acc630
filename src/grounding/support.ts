import type { FigureCheck } from '../domain/answer.ts'
import {
  combineFigures,
  combineTwo,
  deriveFromList,
  deriveFromTable,
  groupsOf,
  sumValues,
  type Take,
} from './derivations.ts'
import { evidenceNumbers, lowerCaseWords, type Evidence, type EvidenceNumbers, type NumberTable } from './evidence.ts'
import { writtenNumbers, type Reading, type WrittenNumber } from './numbers.ts'

/** Ratios up to this are also looked up in cells: 0.25 matches 25 %. */
const MAX_RATIO_CELL = 10
/** Values of computations that each sentence may refer to. */
const MAX_COMPUTED = 8
/** Maximum number of columns whose totals are combined with those of the next table. */
const MAX_TOTALS = 3
/** Maximum number of rows with one name, and of words in a name. */
const MAX_ROWS_PER_NAME = 8
const MAX_NAME_WORDS = 5
const MAX_SOURCES = 5

/** Grounding: how a figure is supported, and the value that it was rounded from. */
export interface Support {
  readonly status: FigureCheck['status']
  readonly value: number
  readonly sources: readonly string[]
}

export type NamedRow = readonly [table: NumberTable, row: number]

/** Numbers in the input of a computation, if a model wrote it. */
export function operandsIn({ input }: Evidence): readonly WrittenNumber[] {
  return input === undefined ? [] : writtenNumbers(JSON.stringify(input).replaceAll(/[[\],]/g, ';'))
}

/** Rounded at the last written place; a round number may be cut off there, too, as in “a little over 50,500”. */
export function boundsOf({ value, unit }: Reading): readonly [low: number, high: number] {
  const tolerance = value * 1e-9
  return [value - unit * 0.5 - tolerance, value + unit * (unit >= 10 ? 1 : 0.5) + tolerance]
}

/** Bounds of a derived figure. A last digit of 5 may be rounded to the nearest 5, as in “about 875” for 874. */
export function derivedBounds({ value, unit }: Reading): readonly [low: number, high: number] {
  return boundsOf({ value, unit: unit >= 1 && value % (unit * 10) === unit * 5 ? unit * 5 : unit })
}

/** The values of the evidence and those derived from its tables, indexed. */
export class EvidenceIndex {
  /** Values of computations, the last ones. */
  readonly computed: readonly number[]
  private readonly evidence: readonly Evidence[]
  private readonly numbers: EvidenceNumbers
  private readonly places = new Map<number, Set<number>>()
  private readonly found: Float64Array
  private readonly names = new Map<string, NamedRow[]>()
  private derived: Float64Array | undefined

  constructor(evidence: readonly Evidence[]) {
    this.evidence = evidence
    this.numbers = evidenceNumbers(evidence)
    const { values, tables } = this.numbers
    for (const [value, at] of values) {
      for (const one of value > MAX_RATIO_CELL ? [value] : [value, value * 100]) {
        const places = this.places.get(one) ?? new Set()
        if (places.size < MAX_SOURCES) this.places.set(one, places.add(at))
      }
    }
    this.found = Float64Array.from(this.places.keys()).sort()
    this.computed = values.flatMap(([value, at]) => (evidence[at]!.isComputed ? [value] : [])).slice(-MAX_COMPUTED)
    for (const [table, row, name] of tables.flatMap((one) =>
      one.names.flatMap((names, i) => names.map((name) => [one, i, name] as const)),
    )) {
      const rows = this.names.get(name) ?? []
      if (rows.length < MAX_ROWS_PER_NAME) rows.push([table, row])
      this.names.set(name, rows)
    }
  }

  supportOf(figure: WrittenNumber): Support | undefined {
    const [value, ...others] = valuesAt(this.found, figure)
    if (value === undefined) return derivedFrom((this.derived ??= this.derive()), figure)
    const places = [value, ...others].flatMap((one) => [...(this.places.get(one) ?? [])])
    const evidence = [...new Set(places)].map((at) => this.evidence[at]!)
    const ids = evidence.flatMap(({ sources = [] }) => sources)
    const status = evidence.every(({ isComputed }) => isComputed === true) ? 'derived' : 'found'
    return { status, value, sources: [...new Set(ids)].slice(0, MAX_SOURCES) }
  }

  /** Rows that a text names. */
  rowsIn(text: string): readonly NamedRow[] {
    const words = this.names.size === 0 ? [] : lowerCaseWords(text)
    return words.flatMap((_, from) =>
      Array.from({ length: MAX_NAME_WORDS }, (_word, i) => words.slice(from, from + i + 1).join(' ')).flatMap(
        (name) => this.names.get(name) ?? [],
      ),
    )
  }

  private derive(): Float64Array {
    const values: number[] = []
    const take: Take = (value, isRatio) => {
      if (value > 0 && value < Infinity) values.push(value, isRatio ? value * 100 : value)
    }
    const { tables } = this.numbers
    for (const table of tables) for (const one of [table, ...groupsOf(table)]) deriveFromTable(one, take)
    deriveFromList(
      tables.flatMap(({ columns }) => columns.slice(0, MAX_TOTALS).map(sumValues)),
      combineTwo,
      take,
    )
    for (const [at, one] of this.evidence.entries()) {
      if (one.isComputed !== true) continue
      deriveFromList(
        this.numbers.values.flatMap(([value, place]) => (place === at ? [value] : [])),
        combineTwo,
        take,
      )
      deriveFromList(
        operandsIn(one).map(({ readings }) => readings[0]!.value),
        combineFigures,
        take,
      )
    }
    return Float64Array.from(values).sort()
  }
}

/** @param values in ascending order */
export function derivedFrom(values: Float64Array, figure: WrittenNumber): Support | undefined {
  const [value] = valuesAt(values, figure)
  return value === undefined ? undefined : { status: 'derived', value, sources: [] }
}

/** The values that a figure may be rounded from, the nearest one first. */
function valuesAt(sorted: Float64Array, { readings, scaled }: WrittenNumber): readonly number[] {
  for (const reading of [...readings, ...scaled]) {
    const [low, high] = boundsOf(reading)
    let [first, end] = [0, sorted.length]
    while (first < end) {
      const middle = (first + end) >> 1
      if (sorted[middle]! < low) first = middle + 1
      else end = middle
    }
    while (sorted[end]! <= high && end < first + MAX_SOURCES) end++
    const distance = (value: number): number => Math.abs(value - reading.value)
    if (end > first) return [...sorted.subarray(first, end)].toSorted((a, b) => distance(a) - distance(b))
  }
  return []
}
