import { given } from '../../core/given.ts'
import type { Table } from '../../core/table.ts'
import { wordsOf } from './evidence.ts'
import type { NumberFigure } from './read.ts'
import { amountColumns } from './rows.ts'
import { THINGS } from './units.ts'

/** How a figure was computed of others. */
export type Aggregate = 'mean' | 'median' | 'total'

const MEAN = /(?<!\p{L})(?:avg|average|durchschnitt\p{L}*|schnitt|moyenne|promedio)(?!\p{L})|^mean$/iu
const MEDIAN = /median|médiane/iu
const TOTAL = /(?<!\p{L})(?:total|sum|gesamt\p{L}*|summe)(?!\p{L})/iu
/** Of a column's words those that say how it was computed, and not of what. */
const COMPUTED = /^(?:total|sum|avg|averag|mean|median|max|min|maximum|minimum|count|number|num|of|per|gesamt|summe)$/i

const FUNCTION = /^(?:a|an|the|of|in|per|is|are|ha|has|have|to|for|by|and|or|not|no|on|at|with|from|was|it|its)$/i

/** What a sentence says of a figure: which columns it is of, by their words, and how it was computed. */
export interface Said {
  /** None: it says no measure of this table. */
  readonly columns: readonly string[]
  readonly aggregate?: Aggregate
  /** Whether another figure stands before it in its clause: “500 of a total of 2,120”. */
  readonly isBehind: boolean
}

/** How the column says that it was computed; “max_price” is none of these. */
export function aggregateOfColumn(column: string): Aggregate | 'extreme' | undefined {
  const words = column.replace(/([a-z])([A-Z])/g, '$1 $2').split(/[^\p{L}]+/u)
  if (words.some((word) => MEDIAN.test(word))) return 'median'
  if (words.some((word) => MEAN.test(word))) return 'mean'
  if (words.some((word) => /^(?:max|min|maximum|minimum|highest|lowest)$/i.test(word))) return 'extreme'
  return words.some((word) => TOTAL.test(word)) ? 'total' : undefined
}

/** The columns that hold amounts: no years, no numbers of rows. */
export function measuresOf(table: Table): readonly string[] {
  return amountColumns(table).filter(
    (column) => !/(?:^|_)id$|Id$|^(?:rank|position|place|rang|month|quarter|day)$/i.test(column),
  )
}

/** The columns that these words call; of “order value” and “orders” the one of which more is said. */
export function columnsCalled(table: Table, text: string): readonly string[] {
  const said = new Set(wordsOf(text).filter((word) => !FUNCTION.test(word)))
  const called = measuresOf(table).flatMap((column) => {
    const all = wordsOf(column).filter((word) => !FUNCTION.test(word))
    const own = all.filter((word) => !COMPUTED.test(word))
    const words = (own.length > 0 ? own : all).filter((word) => said.has(word))
    return words.length > 0 ? [{ column, words }] : []
  })
  const isPart = (one: readonly string[], other: readonly string[]): boolean =>
    one.length < other.length && one.every((word) => other.includes(word))
  return called.filter(({ words }) => !called.some((other) => isPart(words, other.words))).map(({ column }) => column)
}

/** The same; all measures where the words call none. */
export function columnsMeant(table: Table, text: string): readonly string[] {
  const called = columnsCalled(table, text)
  return called.length > 0 ? called : measuresOf(table)
}

/** Words that leave out what was said just before: “3,400 in North and 22 in South”. */
const GAP =
  /^(?:[^\p{L}]|(?<!\p{L})(?:in|for|at|of|with|and|or|to|but|the|had|has|have|was|were|is|are|only|just|about|also|und|oder|bis|von|für|hat|hatte|war)(?!\p{L}))*$/iu
const SCALE = /^(?:\s?(?:k|m|mn|bn|thousand|million|billion|EUR|USD|€|\$|euros?|dollars?)(?!\p{L}))+/iu
const OF_THEM = /^\s(?:out\s)?of\s(?:the|all|its|these|those|them|which|our|their|\d)/iu
const IN = /^\s(?:in|of|worth of|as|is|was|are|were)\s(?:the\s)?((?:\p{L}+\s?){1,3})/iu
const ENDS =
  /^(?:in|of|from|and|or|with|to|by|on|at|for|per|as|is|was|were|are|has|had|have|than|that|which|while|on)$/iu

/** The words right behind a figure, up to one that begins something else. */
function nounBehind(rest: string, { at, text }: NumberFigure): string {
  const tail = rest.slice(at + text.length, at + text.length + 60).replace(SCALE, '')
  const words = /^[\s-]((?:\p{L}+[\s-]?){1,3})/u.exec(tail)?.[1]?.split(/[\s-]/) ?? []
  const end = words.findIndex((word) => ENDS.test(word))
  return words.slice(0, end < 0 ? undefined : end).join(' ')
}

const MEAN_SAID =
  /(?<!\p{L})(?:average|durchschnitt\p{L}*|(?<=(?:the|an?|its|their|arithmetic|with|:)\s)mean)(?!\p{L})/iu
const TOTAL_SAID =
  /(?<!\p{L})(?:totals?|totall?ed|sum(?! up)|altogether|in all|combined|together|insgesamt|gesamt\p{L}*|summe|zusammen)(?!\p{L})/iu
const SAID: readonly (readonly [Aggregate, RegExp])[] = [
  ['median', /(?<!\p{L})median\p{L}*(?!\p{L})/iu],
  ['mean', MEAN_SAID],
  ['total', TOTAL_SAID],
]
const RIGHT_BEHIND: readonly (readonly [Aggregate, RegExp])[] = [
  ['mean', /^(?:\s\p{L}+){0,4}?\s(?:on average|im (?:durch)?schnitt)(?!\p{L})/iu],
  [
    'total',
    /^(?:\s\p{L}+){0,4}?\s(?:in total|in all|altogether|combined|together|insgesamt|zusammen|total(?=[.,;]|$))|^\stotal(?!\p{L})/iu,
  ],
]
/** “More than average”: the figure before or behind is no average unless it is told right behind the word. */
const BESIDE = /(?:above|below|than|beats?|over|under|against|über|unter|als)\s(?:\p{L}+\s)?$/iu
/** What is of more rows, or fewer, than can be told: “running total”, “the highest average”. */
const OTHERWISE =
  /(?<!\p{L})(?:cumulative\p{L}*|running|highest|lowest|largest|smallest|biggest|best|worst|most|least|moving|rolling|weighted|growth|change)(?!\p{L})/iu

/** Between “median” and “total” where the latter is of the thing's own name. */
const NAMES_IT = /^(?:\s(?!(?:and|or|of|und|oder|von)\s)\p{L}+){0,2}\s$/iu

function aggregateIn(before: string, behind: string): Aggregate | undefined {
  if (OTHERWISE.test(before)) return undefined
  const right = RIGHT_BEHIND.find(([, form]) => form.test(behind))
  if (right !== undefined) return right[0]
  const said = SAID.flatMap(([aggregate, form]) => {
    const found = form.exec(before)
    return found === null ? [] : [{ aggregate, from: found.index, to: found.index + found[0].length }]
  })
    .filter(
      ({ from, to }) =>
        !BESIDE.test(before.slice(0, from)) || /^(?:\s\p{L}+)?\s?(?:of|\(|:)?\s?$/u.test(before.slice(to)),
    )
    .toSorted((a, b) => b.from - a.from)
  const [last, earlier] = said
  // “The median invoice total” is a median of what is called a total.
  const isOfTotals =
    last?.aggregate === 'total' && earlier !== undefined && NAMES_IT.test(before.slice(earlier.to, last.from))
  return (isOfTotals ? earlier : last)?.aggregate
}

/** What the words around each figure say of it, in the order of the text. `rest` is without the names of rows. */
export function saidOf(
  table: Table,
  rest: string,
  figures: readonly NumberFigure[],
  clauseOf: (figure: NumberFigure) => readonly [number, number],
): ReadonlyMap<NumberFigure, Said> {
  const all = new Map<NumberFigure, Said>()
  let last: NumberFigure | undefined
  for (const figure of figures.toSorted((a, b) => a.at - b.at)) {
    const isAside = figure.isOrdinal || figure.isYear === true || figure.readings[0]!.value === table.rows.length
    const [from] = clauseOf(figure)
    const isBehind = last !== undefined && last.at >= from
    const end = last === undefined ? 0 : last.at + last.text.length + nounLength(table, rest, last)
    const before = rest.slice(Math.max(from, end), figure.at)
    const behind = rest.slice(figure.at + figure.text.length, figure.at + figure.text.length + 60)
    const between = rest.slice(end, figure.at)
    const isGap = last !== undefined && GAP.test(between) && !between.includes(')')
    const inherited = isGap && isBare(figure) ? (all.get(last!)?.columns ?? []) : []
    const columns = columnsOf(table, rest, figure, before, inherited)
    const aggregate = figure.isPercent ? undefined : aggregateIn(before, behind)
    all.set(figure, { columns, isBehind, ...given({ aggregate }) })
    if (!isAside) last = figure
  }
  return all
}

function isBare({ unit }: NumberFigure): boolean {
  return unit === undefined || unit === THINGS
}

/** How long the noun behind a figure is that calls a column: it is of that figure alone. */
function nounLength(table: Table, rest: string, figure: NumberFigure): number {
  const words = nounBehind(rest, figure).split(' ')
  const end = words.findLastIndex((word) => columnsCalled(table, word).length > 0)
  return end < 0 ? 0 : words.slice(0, end + 1).join(' ').length + 1
}

function columnsOf(
  table: Table,
  rest: string,
  figure: NumberFigure,
  before: string,
  inherited: readonly string[],
): readonly string[] {
  const behind = rest.slice(figure.at + figure.text.length, figure.at + figure.text.length + 60).replace(SCALE, '')
  const direct = columnsCalled(table, nounBehind(rest, figure))
  if (direct.length > 0) return direct
  if (OF_THEM.test(behind) || (figure.unit === THINGS && inherited.length === 0)) return []
  const inIt = columnsCalled(table, IN.exec(behind)?.[1] ?? '')
  if (inIt.length > 0) return inIt
  const called = columnsCalled(table, before)
  return called.length > 0 ? called : inherited
}
