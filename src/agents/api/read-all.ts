import { omitUndefined, isObject } from '../../shared/json.ts'
import { recordsOf, tableOfRecords } from '../records.ts'
import type { ApiAnswer } from './answer.ts'
import type { CallMaker } from './calls.ts'
import type { Endpoint } from './catalogue/types.ts'
import { exchange, type ExchangeParts } from './exchange.ts'
import { httpError, callSource } from './outcomes.ts'
import type { ApiCall } from './request/build.ts'
import { isPagingParam, isNextPageForeign, MAX_PAGES, MAX_RECORDS, nextPage } from './response/pages.ts'
import type { Reply } from './response/reply.ts'

/**
 * Makes a reading call, after a 400 once more with the dates of the context, and reads the pages that follow.
 * @throws TuttiError `HttpError` for a status of 400 and above
 */
export async function readAll(parts: ExchangeParts, given: ApiCall, signal: AbortSignal): Promise<ApiAnswer> {
  const { calls, context } = parts
  const endpoint = calls.placeOf(given)?.endpoint
  let call = given
  let reply = await exchange(parts, call, signal)
  const dated = reply.status === 400 ? withDates(call, reply, endpoint, context) : undefined
  if (dated !== undefined) {
    call = dated
    reply = await exchange(parts, call, signal)
  }
  const first = call
  const replies = [reply]
  let count = recordsOf(reply.json)?.length ?? 0
  // A request with a page or a limit asks for exactly that page.
  const paramNames = [...new URL(first.url).searchParams.keys()]
  const follows = reply.status < 400 && !paramNames.some((name) => isPagingParam({ name }))
  let next = follows ? nextPage(call, reply, endpoint) : undefined
  let isCut = follows && next === undefined && isNextPageForeign(call, reply)
  while (next !== undefined) {
    if (replies.length >= MAX_PAGES || count >= MAX_RECORDS) {
      isCut = true
      break
    }
    reply = await exchange(parts, next, signal)
    const more = reply.status < 400 ? (recordsOf(reply.json) ?? []) : []
    isCut ||= reply.status >= 400
    // A service that ignores its page parameter returns the same page again and again.
    if (more.length === 0 || JSON.stringify(more[0]) === JSON.stringify(recordsOf(replies[0]!.json)?.[0])) break
    replies.push(reply)
    count += more.length
    call = next
    next = nextPage(call, reply, endpoint)
    isCut ||= next === undefined && isNextPageForeign(call, reply)
  }
  return answerOf(calls, first, replies[0]!, replies, isCut)
}

/** One answer of all its pages. @throws TuttiError `HttpError` for a status of 400 and above */
export function answerOf(
  calls: CallMaker,
  call: ApiCall,
  first: Reply,
  pages: readonly Reply[],
  hasMore = false,
): ApiAnswer {
  if (first.status >= 400) {
    const security = calls.placeOf(call)?.endpoint.security ?? []
    throw httpError(call, first, [...new Set(security.map((names) => names.join(' and ')))])
  }
  const isCut = hasMore || pages.some((page) => page.isCut)
  const { json, nextUrl: _next, retryAfter: _retry, ...rest } = first
  const records = recordsOf(json) === undefined ? undefined : pages.flatMap((page) => recordsOf(page.json) ?? [])
  const otherFields = records === undefined ? json : valuesBeside(json)
  return {
    ...rest,
    signIn: call.signIn,
    isCut,
    pages: pages.length,
    ...(records === undefined ? {} : { tabular: tableOfRecords(records, isCut) }),
    ...omitUndefined({ json: otherFields, leftOut: call.leftOut }),
    sources: [callSource(call)],
  }
}

const MAX_ENVELOPE_DEPTH = 2

/** The values of an envelope next to its list, such as `total` or `pagination: { total }`. */
function valuesBeside(json: unknown, depth = 0): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(json)) return undefined
  const values = Object.entries(json).flatMap(([name, value]): [string, unknown][] => {
    if (Array.isArray(value) || depth > MAX_ENVELOPE_DEPTH) return []
    const reduced = isObject(value) ? valuesBeside(value, depth + 1) : (value ?? undefined)
    return reduced === undefined ? [] : [[name, reduced]]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}

const TEMPORAL = [
  { name: 'startDateTime', key: 'current_date_start_hour', end: 'from' },
  { name: 'endDateTime', key: 'current_date_end_hour', end: 'to' },
] as const

/**
 * The call with `startDateTime` and `endDateTime` of the temporal context, in the catalogue's format or else as in the
 * context; undefined if the call has them already or the endpoint does not declare them.
 */
function withDates(
  call: ApiCall,
  reply: Reply,
  endpoint: Endpoint | undefined,
  context: Readonly<Record<string, unknown>>,
): ApiCall | undefined {
  const content = `${reply.text ?? ''}${JSON.stringify(reply.json ?? '')}`
  const url = new URL(call.url)
  for (const { name, key, end } of TEMPORAL) {
    const param = endpoint?.params.find((candidate) => candidate.in === 'query' && candidate.name === name)
    const fits = endpoint === undefined || param !== undefined || content.includes(name)
    const value = context[key]
    if (!fits || typeof value !== 'string' || (url.searchParams.get(name) ?? '') !== '') continue
    const format = param?.type.format
    url.searchParams.set(name, format === undefined ? value : dateValue(value.slice(0, 10), end, format))
  }
  return url.href === call.url ? undefined : { ...call, url: url.href }
}

/** A day in the form that a parameter wants; times are the day's first or last second in UTC. */
function dateValue(day: string, end: 'from' | 'to', format: string | undefined): string {
  if (format !== 'date-time') return day
  return end === 'from' ? `${day}T00:00:00Z` : `${day}T23:59:59Z`
}
