import { addDays } from './days.ts'
import { spanAtStart, type Span } from './spans.ts'

const RANGE = /^(?:(?<both>between|from)|for|in|during|over|of|throughout)(?: the)? /i
const JOINT = /^(?: (?<and>and) | (?:to|until|till|through) |\s*(?:–|—|\.\.)\s*| - |\/(?=\d{4}-))(?:the )?/i

/** Two ends of a period, as they were said. */
export interface Ends {
  /** With its year from the second one where it was said without. */
  readonly begin: Span
  readonly second: Span
  /** Begins with a preposition. */
  readonly isLed: boolean
  /** Neither end is clearly a time: “5 to 9”. */
  readonly isBare: boolean
  readonly isToldByEnd: boolean
  readonly length: number
}

/** `between A and B`, `from A to B`, `A to B` at the beginning of a text, whichever of the two is earlier. */
export function endsAt(words: string, today: string): Ends | Span | undefined {
  const lead = RANGE.exec(words)
  const start = lead?.[0].length ?? 0
  const isBoth = lead?.groups?.['both'] !== undefined
  const first = spanAtStart(words.slice(start), today)
  if (first === undefined || first.bare === 'weekday') return undefined
  const joint = JOINT.exec(words.slice(start + first.length))
  if (joint === null || (joint.groups?.['and'] !== undefined && !isBoth)) {
    return first.isRange === true && isBoth ? { ...first, length: start + first.length } : undefined
  }
  const joined = start + first.length + joint[0].length
  const second = spanAtStart(words.slice(joined), today)
  if (second === undefined || second.bare === 'weekday') return undefined
  const isToldByEnd = first.isYearless === true
  return {
    begin: isToldByEnd ? spanAtStart(words.slice(start), addDays(second.before, -1))! : first,
    second,
    isLed: lead !== null,
    isBare: first.bare !== undefined && second.bare !== undefined,
    isToldByEnd,
    length: joined + second.length,
  }
}

/** Whether it ends before it begins. */
export function isReversed(ends: Ends | Span | undefined): ends is Ends {
  if (ends === undefined || !('second' in ends) || (ends.isBare && !ends.isLed)) return false
  return ends.begin.from >= ends.second.before
}
