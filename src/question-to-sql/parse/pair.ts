import { periodPairIn, whyNotCompared, type PeriodPair } from '../../language/period-pair.ts'
import type { Entity } from '../../terms/catalogue.ts'
import type { Condition, Measure, Reading } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { datesIn } from './given-period.ts'

/** Two questions for a figure each, which are one question together. */
export interface Pair {
  readonly kind: 'change' | 'ratio'
  readonly questions: readonly [string, string]
  /** The time that each of them has to be about. */
  readonly periods?: PeriodPair['periods']
  readonly isList?: boolean
  readonly assumptions: readonly string[]
}

/** `revenue 2024 vs 2025`, `the ratio of orders to customers`. */
export function pairIn(text: string, today: string): Pair | undefined {
  const [, first, second] =
    /^(?:what (?:is|was) )?(?:the )?ratio (?:of|between) (.+?) (?:to|and) (.+)$/iu.exec(text) ?? []
  if (first !== undefined && second !== undefined) return { kind: 'ratio', questions: [first, second], assumptions: [] }
  const pair = periodPairIn(text, today)
  if (pair === undefined) return undefined
  const [, late] = pair.periods
  const reason = whyNotCompared(pair)
  if (reason !== undefined) refuse(reason)
  const open = today < late.from ? 'has not begun' : today < late.before ? 'is not over' : undefined
  const assumptions = open === undefined ? [] : [`“${late.text}” ${open} on ${today}`]
  return { kind: 'change', ...pair, assumptions }
}

/** What is named alone is counted; the time must be found where it was put, and the figure be a number. */
export function keepToFigure(reading: Reading, pair: Pair, earlier: Reading[]): void {
  const { subject, measures, groups, conditions } = reading
  const period = pair.periods?.[earlier.length]
  earlier.push(reading)
  const isBare = measures.length + reading.selected.length === 0 && reading.ranking === undefined && !reading.share
  if (isBare && subject !== undefined && pair.isList !== true) reading.counted ??= subject
  const [range, ...others] = datesIn(conditions).map(({ condition }) => condition.range)
  const isKept = others.length === 0 && range?.from === period?.from && range?.before === period?.before
  const counted = [reading.counted, ...measures].flatMap((m) => (m !== undefined && 'entity' in m ? [m.entity] : []))
  // “Orders without returns in 2024”: those that came then, or all that nothing came back of then?
  const isDenied = conditions.some((c) => c.kind === 'has' && c.negated && datesIn(c.conditions).length > 0)
  const isUnclear = period !== undefined && (!isKept || (isDenied && !counted.some(hasName)))
  // “Ratio of cancelled orders to orders in 2025”: is the time that of both?
  const kindOf = (c: Condition): string => `${c.kind} ${'mention' in c && c.mention === 'adjective'}`
  const [said, own] = [earlier[0], reading].map((one) => one?.conditions.map(kindOf))
  const isShared = period === undefined && !own?.every((kind) => said?.includes(kind))
  if (isUnclear || isShared)
    refuse('I do not see what is said of which of the two. Please ask for each of them by itself.')
  // Those who came in 2025, or all there were by then?
  const isOwn = conditions.some((c) => c.kind === 'date' && c.verb === undefined)
  const named = counted.find(hasName)
  if (period !== undefined && isOwn && named !== undefined)
    refuse(`“${named.nouns} ${period.text}” could be all there were or those that came. Please say what happened then.`)
  const isUneven = groups.length > 0 && (pair.kind === 'ratio' || groups.some(({ kind }) => kind === 'grain'))
  if (isUneven || reading.ranking !== undefined || measures.some(isNoNumber))
    refuse(
      'I can compare two numbers, alone or for each group, and no lists, rankings, steps of time or days. Please ask for each of them by itself.',
    )
}

/** People and things have names, what happens has a date. */
function hasName({ label }: Entity): boolean {
  return label.some(({ words }) => words.at(-1) === 'name')
}

function isNoNumber(measure: Measure): boolean {
  return measure.kind === 'column' && measure.match.candidates.some((c) => c.attribute.column.kind !== 'number')
}
