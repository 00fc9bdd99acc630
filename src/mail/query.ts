import { invalidMail } from './errors.ts'

/** A mail query. All conditions must match; texts match anywhere, ignoring case. */
export interface MailQuery {
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly subject: readonly string[]
  /** In subject, text or addresses. */
  readonly words: readonly string[]
  /** First day, `YYYY-MM-DD`. */
  readonly since?: string
  /** The day after the last one, `YYYY-MM-DD`. */
  readonly before?: string
}

const OPERATORS = 'from:, to:, subject:, since: and before:'
const TERM = /(?:([a-z_]+):)?(?:"([^"]*)"|(\S+))/giu
const MAX_LENGTH = 500

/**
 * Reads a query such as `from:lena subject:"cold brew" since:2026-09-01 invoice`. `after:` means
 * `since:`, as in Gmail; dates may be written with slashes.
 * @throws TuttiError `InvalidRequest` for an unknown operator, a wrong date or `OR`
 */
export function parseMailQuery(text: string): MailQuery {
  if (text.length > MAX_LENGTH) throw invalidMail(`The search has more than ${MAX_LENGTH} characters; shorten it.`)
  const query = { from: [] as string[], to: [] as string[], subject: [] as string[], words: [] as string[] }
  const extra: { since?: string; before?: string } = {}
  for (const [whole, rawName, quoted, plain] of text.matchAll(TERM)) {
    const name = rawName?.toLowerCase()
    const value = (quoted ?? plain ?? '').trim()
    if (value === '') continue
    if (name === undefined && plain === 'OR') {
      throw invalidMail('A search cannot hold OR: all of its words must be in a mail. Search for each alternative.')
    }
    if (name === undefined) query.words.push(value)
    else if (name === 'from' || name === 'to' || name === 'subject') query[name].push(value)
    else if (name === 'since' || name === 'after') extra.since = dayOf(value, name)
    else if (name === 'before') extra.before = dayOf(value, name)
    else if (/^(https?|re|fwd?|aw)$/.test(name)) query.words.push(whole)
    else throw invalidMail(`A search cannot hold "${whole}". It may hold ${OPERATORS}, and words.`)
  }
  return { ...query, ...extra }
}

/** The query as it is written, for people and for Gmail-like servers. */
export function formatMailQuery(query: MailQuery): string {
  const term = (name: string) => (value: string) => `${name}${/[\s":]/.test(value) ? `"${value}"` : value}`
  return [
    ...query.from.map(term('from:')),
    ...query.to.map(term('to:')),
    ...query.subject.map(term('subject:')),
    ...(query.since === undefined ? [] : [`since:${query.since}`]),
    ...(query.before === undefined ? [] : [`before:${query.before}`]),
    ...query.words.map(term('')),
  ].join(' ')
}

export const EMPTY_QUERY: MailQuery = { from: [], to: [], subject: [], words: [] }

function dayOf(value: string, name: string): string {
  const [, year, month, day] = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(value) ?? []
  const iso = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00Z`)
  if (year === undefined || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso) {
    throw invalidMail(`"${name}:${value}" is not a day. Write it as ${name}:2026-01-31.`)
  }
  return iso
}
