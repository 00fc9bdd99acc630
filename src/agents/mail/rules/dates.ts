import { periodIn } from '../../../language/periods.ts'

/** A span of days, `YYYY-MM-DD`; `before` is the first day that no longer counts. */
export interface DaySpan {
  readonly since?: string
  readonly before?: string
}

/**
 * Reads the days that a question speaks of.
 * @param today `YYYY-MM-DD`
 * @returns the span, and the question without the words that named it
 */
export function readDays(question: string, today: string): DaySpan & { readonly rest: string } {
  const found = periodIn(question, today)
  const rest = found === undefined ? question : `${question.slice(0, found.start)} ${question.slice(found.end)}`
  return { ...spanOf(found ?? {}, today), rest: rest.replaceAll(/\s+/g, ' ').trim() }
}

/** A mailbox holds nothing of tomorrow, so an end after today is left out. */
export function spanOf({ from, before }: { readonly from?: string; readonly before?: string }, today: string): DaySpan {
  return {
    ...(from === undefined ? {} : { since: from }),
    ...(before === undefined || before > today ? {} : { before }),
  }
}
