import { periodPairIn, whyNotCompared, type PeriodPair } from '../../language/period-pair.ts'
import type { Entity } from '../../terms/catalogue.ts'
import type { Measure, Reading } from '../reading.ts'
import { refuse } from '../refusal.ts'
import { datesIn } from './given-period.ts'

/** Two questions for a figure each, which are one question together. */
export interface Pair {
  readonly kind: 'change' | 'ratio'
  readonly questions: readonly [string, string]
  /** The time that each of them has to be about. */
  readonly periods?: PeriodPair['periods']
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

/** What is listed is counted; the time must be found where it was put, and the figure be a number. */
export function keepToFigure(reading: Reading, pair: Pair, at: number): void {
  const { subject, measures, groups } = reading
  const isList = measures.length + reading.selected.length === 0 && reading.ranking === undefined
  if (isList && reading.counted === undefined && subject !== undefined && !reading.share) reading.counted = subject
  const period = pair.periods?.[at]
  const dates = datesIn(reading.conditions).map(({ condition }) => condition.range)
  const isKept = dates.length === 1 && dates[0]?.from === period?.from && dates[0]?.before === period?.before
  if (period !== undefined && !isKept)
    refuse('I do not see what the two times are about. Please ask for each by itself.')
  // Those who came in 2025, or all there were by then?
  const isOwn = reading.conditions.some((c) => c.kind === 'date' && c.verb === undefined)
  const counted = [reading.counted, ...measures].flatMap((m) => (m !== undefined && 'entity' in m ? [m.entity] : []))
  const named = period === undefined || !isOwn ? undefined : counted.find(hasName)
  if (named !== undefined)
    refuse(
      `“${named.nouns} ${period?.text}” could be all there were or those that came. Please say what happened then.`,
    )
  if (groups.length > 0 || measures.some(isNoNumber))
    refuse('I can compare two numbers, and no lists, breakdowns or days. Please ask for each of them by itself.')
}

/** People and things have names, what happens has a date. */
function hasName({ label }: Entity): boolean {
  return label.some(({ words }) => words.at(-1) === 'name')
}

function isNoNumber(measure: Measure): boolean {
  return measure.kind === 'column' && measure.match.candidates.some((c) => c.attribute.column.kind !== 'number')
}
