import { periodIn, timesIn } from '../../../language/periods.ts'

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

/** Why no days can be searched for; to leave them out would be to answer for the whole mailbox. */
export function unclearDays(text: string, today: string): string | undefined {
  const times = timesIn(text, today)
  const unread = times.find((time) => 'reason' in time)
  if (unread !== undefined) return unread.reason
  if (times.length < 2) return undefined
  const said = times.map(({ start, end }) => `“${text.slice(start, end).trim()}”`).join(' and ')
  return `Mails can be searched for one period at a time, and ${said} are more than one.`
}

/** A mailbox holds nothing of tomorrow, so an end after today is left out. */
export function spanOf({ from, before }: { readonly from?: string; readonly before?: string }, today: string): DaySpan {
  return {
    ...(from === undefined ? {} : { since: from }),
    ...(before === undefined || before > today ? {} : { before }),
  }
}
