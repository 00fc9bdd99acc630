import { NUMBER_WORDS, numberOf } from '../numbers.ts'
import { isPeriodic, numeric } from './derive.ts'
import type { Evidence } from './evidence.ts'
import type { RowsNamed } from './labels.ts'
import { columnsCalled, measuresOf } from './measures.ts'
import type { Span } from './parts.ts'
import type { Figure, NumberFigure } from './read.ts'
import { LESS, MORE } from './row-words.ts'
import { isPrinted, type Row } from './rows.ts'
import { inUnit, THINGS, TIME_NAME, unitOfColumn } from './units.ts'

const NUM = String.raw`\d{1,3}|${NUMBER_WORDS.slice(1).join('|')}`
const VERB =
  'has|have|had|makes?|made|reach(?:es|ed)?|gets?|got|receives?|received|takes?|took|records?|recorded|sells?|sold|sees?|saw|shows?|showed|is|are|was|were|lies?|lay|stays?|stayed|brings?|brought|earns?|earned|exceeds?|exceeded|beats?|outperforms?|outperformed|surpass(?:es|ed)?|with|haben|hat|hatten?|liegen|liegt'
/** “All branches have”, “none of the five has”, “3 of the 5 branches have”; what limits them in other words is not read. */
const SUBJECT = new RegExp(
  String.raw`(?<!\p{L})(?:(?<all>all|every|each|alle|jeder?)|(?<none>none|nobody|nowhere|no one|not (?:one|a single)|no|keine?r?)|(?<most>most)|(?<count>${NUM}))(?:(?: out)? of)?(?: (?:the|these|our|its|all|der))?(?: (?<other>other|others|remaining))?(?: (?<of>${NUM}))?(?: (?!(?:${VERB})(?!\p{L}))(?<noun>\p{L}+))?(?<except> (?:but|except(?: for)?|besides|other than|apart from|außer) _+(?:(?:,|,? and|,? und) _+){0,8})?(?= (?<verb>${VERB}) )`,
  'iu',
)
/** The same in another order of words: “at least 5 in every branch”. */
const ANYWHERE = new RegExp(
  String.raw`(?<!\p{L})(?:(?<none>no(?! (?:more|less|fewer|lower|greater|higher|exception|later)(?!\p{L}))|none|nowhere|not (?:one|a single))|(?<all>every(?:where)?|each|any(?! other)|all(?= (?:${VERB}) )|never|no exception))(?: (?:and every|one|single))?(?: of)?(?: (?:the|these|our|its|them))?(?: (?<of>${NUM}))?(?: (?!(?:${VERB}|we|at|do|does|there)(?!\p{L}))(?<noun>\p{L}+))?(?!\p{L})`,
  'iu',
)
/** What limits it to some of the rows, in words that are not read. */
const LIMITED =
  /(?<!\p{L})(?:with(?! no exception)|whose|who|which|that|where|top|first|last|bottom|others?|rest|remaining|except|besides|but|most|some|many|apart|average|mean|total)(?!\p{L})/iu
const INTRODUCES = /^\s*(?:in|at|for|with|by|of)\s/iu
const BEATS = 'exceeds?|exceeded|beats?|outperforms?|outperformed|surpass(?:es|ed)?'
/** “More orders than Turin”, “as many orders as Turin”. */
const THAN = new RegExp(
  String.raw`(?<!\p{L})(?:(?<more>${MORE})|(?<less>${LESS})|(?<as>as (?:many|much|high)))(?: \p{L}+){0,3}? (?:than|as|als) (?:(?:in|for|at|from|of|that|those|the) ){0,3}(?=_)|(?<!\p{L})(?<beats>${BEATS}) (?=_)`,
  'iu',
)
const NO_CLAIM =
  /(?<!\p{L})(?:not all|not every|not each|if|whether|almost|nearly|hardly|never(?!(?: \p{L}+)? (?:below|under|above|over|less|fewer|more)(?!\p{L}))|unless|nicht)(?!\p{L})|n['’]t(?!\p{L})|\?/iu
/** “At least three branches” is no number of them, and “the three” are those that were spoken of. */
const VAGUE =
  /(?<!\p{L})(?:at least|at most|about|around|roughly|more than|over|under|less than|fewer than|nearly|almost|up to|the|this|that|these|those|another|any|top|first|last|other|next|than|by|of)\s$/iu
const THERE = /(?<!\p{L})there (?:is|are|was|were)\s(?:only\s)?$/iu
/** “Apart from Turin, …”: what stands before the claim takes rows out of it. */
const APART = /^\s*(?:apart from|aside from|except(?: for)?|besides|other than|without|außer)(?!\p{L})/iu
const MARK = /,(?!\d)|(?<!\d),|[;:()|\n]|(?<!\p{L})(?:but(?! _)|while|whereas|aber|während)(?!\p{L})/giu

type Side = 'least' | 'most' | 'above' | 'below'
const SIDES: readonly (readonly [Side, RegExp])[] = [
  [
    'least',
    /(?:at least|never(?: \p{L}+)? (?:below|under|less than|fewer than)|(?:no|not) (?:less|fewer|lower) than|not (?:below|under)|a minimum of|mindestens)$/iu,
  ],
  [
    'most',
    /(?:at most|never(?: \p{L}+)? (?:above|over|more than)|(?:no|not) (?:more|greater|higher) than|not (?:above|over)|up to|a maximum of|höchstens)$/iu,
  ],
  ['above', /(?<!\p{L})(?:(?:more|greater|higher|larger) than|over|above|exceed(?:s|ed)?|mehr als|über)$/iu],
  ['below', /(?<!\p{L})(?:(?:less|fewer|lower|smaller) than|under|below|weniger als|unter)$/iu],
]

/** What is said of all rows, of none, of most or of so many of them, of one beside all others, or of a range, and is not so. */
export function quantitiesIn(named: readonly RowsNamed[], figures: readonly Figure[], all: readonly Evidence[]): Told {
  const known = named.filter(
    ({ table }) => table.rows.length > 1 && table.rows.length <= MOST_ROWS && measuresOf(table).length > 0,
  )
  // Beside what is not of tables, or is of a part of one, a claim may be of that, unless it calls a column.
  const isAlone = all.slice(1).every(({ tables }) => tables.length > 0)
  const told = known.map((one) => toldIn(one, figures, isAlone && known.length === 1))
  const held = told.flatMap((one) => one.held)
  const isWrong = told.length > 0 && told.every(({ wrong }) => wrong.length > 0)
  return {
    wrong: isWrong ? told[0]!.wrong.filter((said) => !all.some((one) => one.mentions(said))) : [],
    held: isWrong ? [] : held,
  }
}

interface Told {
  /** As it is said. */
  readonly wrong: readonly string[]
  /** Figures of claims that the rows hold, as bounds are, which stand nowhere. */
  readonly held: readonly Figure[]
}

const MOST_ROWS = 200

function toldIn(named: RowsNamed, figures: readonly Figure[], isAlone: boolean): Told {
  const { table, rest } = named
  if (table.truncated === true) return { wrong: [], held: [] }
  const numbers = figures
    .filter((one): one is NumberFigure => one.kind === 'number' && !one.isPercent && rest[one.at] !== '_')
    .toSorted((a, b) => a.at - b.at)
  const columnsOf = (span: Span): readonly string[] => {
    const called = columnsCalled(table, rest.slice(...span))
    return called.length > 0 || !isAlone ? called : measuresOf(table)
  }
  const parts = named.parts(MARK)
  const hasFigure = ([from, to]: Span): boolean => numbers.some(({ at }) => at >= from && at < to)
  const claims = parts.map(([from, to], i): Told => {
    const before = parts[i - 1]
    const isIntroduced = before !== undefined && INTRODUCES.test(rest.slice(...before)) && !hasFigure(before)
    const part: Span = [isIntroduced ? before[0] : from, to]
    if (NO_CLAIM.test(rest.slice(...part))) return { wrong: [], held: [] }
    const head = i > 0 && APART.test(rest.slice(...parts[i - 1]!)) ? named.rowsIn(parts[i - 1]!) : []
    const ofAll = ofAllIn(named, part, numbers, columnsOf, head)
    return {
      wrong: ofAll?.isWrong === true ? [named.textOf(part)] : [],
      held: ofAll?.isWrong === false ? ofAll.figures : [],
    }
  })
  return {
    wrong: [...claims.flatMap(({ wrong }) => wrong), ...wrongRange(named, numbers, columnsOf([0, rest.length]))],
    held: claims.flatMap(({ held }) => held),
  }
}

/** Whether what is said of all rows, or of so many, is wrong, and the figures that it has; undefined where nothing is. */
function ofAllIn(
  named: RowsNamed,
  part: Span,
  numbers: readonly NumberFigure[],
  columnsOf: (span: Span) => readonly string[],
  head: readonly Row[],
): { readonly isWrong: boolean; readonly figures: readonly Figure[] } | undefined {
  const { table, rest } = named
  const text = rest.slice(...part)
  // What is counted in the rows is not the rows.
  const isRows = (one: RegExpExecArray | null): boolean =>
    one !== null &&
    (one.groups!['count'] === undefined || !VAGUE.test(text.slice(0, one.index))) &&
    columnsCalled(table, one.groups!['noun'] ?? '').length === 0
  const first = SUBJECT.exec(text)
  const isAnywhere = !isRows(first) && !LIMITED.test(text) && named.rowsIn(part).length === 0
  const found = isAnywhere ? ANYWHERE.exec(text) : first
  if (found === null || !isRows(found)) return undefined
  const { groups = {}, index } = found
  if (isAnywhere && TIME_NAME.test(groups['noun'] ?? '') && !isPeriodic(table)) return undefined
  // “Branches with more than 300” are some of them, unless there are so many.
  if (groups['verb']?.toLowerCase() === 'with' && !THERE.test(text.slice(0, index))) return undefined
  const start = part[0] + (isAnywhere ? 0 : index)
  const from = isAnywhere ? start : start + found[0].length
  const like = likeIn(named, [from, part[1]], numbers)
  if (like === undefined) return undefined
  const left = [
    ...head,
    ...like.beside,
    ...(groups['except'] === undefined ? [] : named.rowsIn([start, from])),
    ...(groups['other'] === undefined ? [] : named.rowsIn([0, from])),
  ]
  if (groups['other'] !== undefined && left.length === 0) return undefined
  const rows = table.rows.filter((row) => !left.includes(row))
  const behind = columnsCalled(table, rest.slice(from, part[1]))
  const columns = behind.length > 0 ? behind : columnsOf(part)
  if (columns.length === 0) return undefined
  const of = numberOf(groups['of'] ?? '')
  const isOfOthers = of !== undefined && left.length === 0 && of !== table.rows.length
  if (isOfOthers && groups['count'] === undefined) return undefined
  const isWrong = columns.every((column) => {
    const values = rows.flatMap((row) => numeric(row[column]) ?? [])
    const those = values.filter((value) => like.holds(value, column)).length
    if (groups['all'] !== undefined) return those < values.length
    if (groups['none'] !== undefined) return those > 0
    if (groups['most'] !== undefined) return 2 * those <= values.length
    return those !== numberOf(groups['count']!)
  })
  const [column, ...more] = columns
  const isIn = ({ unit }: NumberFigure): boolean =>
    unit === undefined || unit === THINGS || inUnit(1, unitOfColumn(column!), unit) === 1
  const figures = more.length > 0 ? [] : numbers.filter((one) => one.at >= start && one.at < part[1] && isIn(one))
  return { isWrong: isWrong || isOfOthers, figures }
}

interface Like {
  readonly holds: (value: number, column: string) => boolean
  /** The rows beside which the others are put. */
  readonly beside: readonly Row[]
}

/** What is said of each there: that it is above or below a figure, or a row that is named. */
function likeIn(named: RowsNamed, span: Span, numbers: readonly NumberFigure[]): Like | undefined {
  const text = named.rest.slice(...span)
  const than = THAN.exec(text)
  if (than !== null) {
    const beside = named.first([span[0] + than.index + than[0].length, span[1]]) ?? []
    const [row, ...more] = beside
    if (row === undefined || more.length > 0) return undefined
    const { more: isMore = than.groups?.['beats'], less } = than.groups ?? {}
    const holds = (value: number, column: string): boolean => {
      const own = numeric(row[column]) ?? Number.NaN
      return isMore !== undefined ? value > own : less !== undefined ? value < own : value >= own
    }
    return { holds, beside }
  }
  const own = numbers.filter(({ at, isYear }) => at >= span[0] && at < span[1] && isYear !== true)
  const [figure, ...more] = own
  if (figure === undefined || more.length > 0) return undefined
  const side = sideOf(named.rest.slice(span[0], figure.at), named.rest.slice(figure.at + figure.text.length, span[1]))
  return side === undefined ? undefined : { holds: (value) => isOn(value, side, figure), beside: [] }
}

function sideOf(before: string, behind: string): Side | undefined {
  if (/^(?: \p{L}+)? or (?:more|above|higher)(?!\p{L})/iu.test(behind)) return 'least'
  if (/^(?: \p{L}+)? or (?:less|fewer|below|lower)(?!\p{L})/iu.test(behind)) return 'most'
  const words = before.slice(-80).replace(/(?:\s(?:the|a total of|\p{Lu}{3}))?[\s\p{Sc}]*$/u, '')
  return SIDES.find(([, form]) => form.test(words))?.[0]
}

function isOn(value: number, side: Side, { readings }: NumberFigure): boolean {
  return readings.some(({ value: own, from, to }) => {
    if (side === 'least') return value >= Math.min(own, from)
    if (side === 'most') return value <= Math.max(own, to)
    return side === 'above' ? value > own : value < own
  })
}

const RANGES =
  /(?:(?<!\p{L})(?:rang(?:es?|ed|ing)|var(?:y|ies|ied|ying)|spans?|spread|lies?|lay|reach(?:es|ed)?|(?:are|is|have|has|had|made)(?= between)))\s(?:in \p{L}+ )?(?:from|between)\s[\p{Sc}\s]*(?:\p{Lu}{3}\s)?$/iu
const UP_TO = /^[^\p{L}]*(?:\p{L}{1,12}\s+)?[^\p{L}]*(?:up )?(?:to|and|bis)\s[^\p{L}\d]*(?:\p{Lu}{3}\s)?$/u
const OF_SOME =
  /(?<!\p{L})(?:top|first|last|bottom|most|average|mean|median|usual\p{L}*|typical\p{L}*|others?|rest|remaining|except|without|if|not)(?!\p{L})|\?/iu

/** “Orders range from 9 to 31”: these are the least and the most of a column. */
function wrongRange(named: RowsNamed, numbers: readonly NumberFigure[], columns: readonly string[]): string[] {
  const { table, rest } = named
  if (columns.length === 0) return []
  return numbers.flatMap((low, i) => {
    const high = numbers[i + 1]
    const before = rest.slice(Math.max(0, low.at - 80), low.at)
    const found = high === undefined ? null : RANGES.exec(before)
    if (high === undefined || found === null || OF_SOME.test(rest)) return []
    if (!UP_TO.test(rest.slice(low.at + low.text.length, high.at))) return []
    const called = named.rowsIn([0, low.at])
    const rows = called.length > 0 ? called : table.rows
    if (rows.length < 2) return []
    const isRight = columns.some((column) => {
      const values = rows.flatMap((row) => numeric(row[column]) ?? [])
      return isPrinted(Math.min(...values), low) && isPrinted(Math.max(...values), high)
    })
    return isRight ? [] : [`${low.text} … ${high.text}`]
  })
}
