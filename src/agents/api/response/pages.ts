import { isObject } from '../../../shared/json.ts'
import type { Endpoint, Param } from '../catalogue/types.ts'
import type { ApiCall } from '../request/build.ts'
import { isHiddenMethod } from '../request/effect.ts'
import { recordsOf } from '../../records.ts'
import type { Reply } from './reply.ts'

/** Maximum number of pages and records read for one answer; the answer mentions that more exist. */
export const MAX_PAGES = 10
export const MAX_RECORDS = 1_000

const PAGE = /^page([_-]?(number|no|num|index))?$/i
const OFFSET = /^(offset|skip|start(_?index)?)$/i
const LIMIT = /^(limit|per[_-]?page|page[_-]?size|size|top|max[_-]?results|count)$/i
const CURSOR = /^(cursor|page[_-]?token|next[_-]?token|continuation([_-]?token)?|after|starting[_-]?after)$/i
const NEXT_CURSOR = /^(next[_-]?cursor|next[_-]?page[_-]?token|next[_-]?token|continuation([_-]?token)?|cursor)$/i

export function isPagingParam({ name }: Pick<Param, 'name'>): boolean {
  return PAGE.test(name) || OFFSET.test(name) || CURSOR.test(name) || isLimitParam({ name })
}

export function isLimitParam({ name }: Pick<Param, 'name'>): boolean {
  return LIMIT.test(name)
}

/**
 * The call for the next page, or undefined if there is none: a link (RFC 8288 or in the body), a cursor, a page number
 * or an offset. A link may only change the query, and only on the same host. A response cannot choose the destination
 * or the operation of a call.
 */
export function nextPage(call: ApiCall, reply: Reply, endpoint: Endpoint | undefined): ApiCall | undefined {
  const records = recordsOf(reply.json)
  if (records === undefined || records.length === 0) return undefined
  const url = new URL(call.url)
  const link = reply.nextUrl ?? linkIn(reply.json)
  const target = link === undefined ? undefined : targetOf(link, reply, url)
  if (target !== undefined && target.host === url.host) return linked(call, url, target)
  const params = (endpoint?.params ?? []).filter((param) => param.in === 'query')
  const cursor = cursorIn(reply.json)
  const cursorParam = params.find(({ name }) => CURSOR.test(name))
  if (cursor !== undefined && cursorParam !== undefined) return withQuery(call, url, cursorParam.name, cursor)
  if (isLast(reply.json, records.length, url, params)) return undefined
  const page = params.find(({ name }) => PAGE.test(name))
  if (page !== undefined) {
    const current = Number(url.searchParams.get(page.name) ?? page.type.default ?? page.type.minimum ?? 1)
    return Number.isInteger(current) ? withQuery(call, url, page.name, String(current + 1)) : undefined
  }
  const offset = params.find(({ name }) => OFFSET.test(name))
  if (offset === undefined) return undefined
  return withQuery(call, url, offset.name, String(Number(url.searchParams.get(offset.name) ?? 0) + records.length))
}

/** Whether this is the last page, by the envelope's counts and by the number of records. */
function isLast(json: unknown, count: number, url: URL, params: readonly Param[]): boolean {
  const limit = params.find(isLimitParam)
  const size = Number((limit && (url.searchParams.get(limit.name) ?? limit.type.default)) ?? Number.NaN)
  if (Number.isFinite(size) && count < size) return true
  for (const [key, value] of fieldsOf(json)) {
    if (/^has_?(more|next)(_?page)?$/i.test(key) && typeof value === 'boolean') return !value
    if (/^total_?pages$|^page_?count$/i.test(key) && typeof value === 'number') return currentPage(url, params) >= value
    if (/^total(_?(count|results|items|records))?$/i.test(key) && typeof value === 'number' && value <= count)
      return true
  }
  return false
}

function currentPage(url: URL, params: readonly Param[]): number {
  const page = params.find(({ name }) => PAGE.test(name))
  return Number((page && url.searchParams.get(page.name)) ?? 1)
}

/** The fields of the envelope and of its parts on paging. */
function fieldsOf(json: unknown): [string, unknown][] {
  if (!isObject(json)) return []
  const inner = ['meta', 'pagination', 'paging', 'page', 'links', '_links', 'page_info', 'metadata'].map(
    (name) => json[name],
  )
  return [...Object.entries(json), ...inner.flatMap((part) => (isObject(part) ? Object.entries(part) : []))]
}

function linkIn(json: unknown): string | undefined {
  for (const [key, value] of fieldsOf(json)) {
    if (!/^(next|next_?(url|link|page|page_url)|@odata\.nextlink)$/i.test(key)) continue
    const link = isObject(value) ? value['href'] : value
    if (typeof link === 'string' && /^(https?:\/\/|\/|\?)/.test(link)) return link
  }
  return undefined
}

function cursorIn(json: unknown): string | undefined {
  const found = fieldsOf(json).find(
    ([key, value]) => NEXT_CURSOR.test(key) && typeof value === 'string' && value !== '',
  )
  return found === undefined ? undefined : String(found[1])
}

/** Whether the response's next page is on another host; such links are not followed. */
export function isNextPageForeign(call: ApiCall, reply: Reply): boolean {
  const url = new URL(call.url)
  const link = reply.nextUrl ?? linkIn(reply.json)
  const target = link === undefined ? undefined : targetOf(link, reply, url)
  return target !== undefined && target.host !== url.host
}

/** Relative to the actual URL of the response. */
function targetOf(link: string, { movedTo }: Reply, from: URL): URL | undefined {
  const base = movedTo ?? from.href
  return URL.canParse(link, base) ? new URL(link, base) : undefined
}

function linked(call: ApiCall, from: URL, target: URL): ApiCall | undefined {
  const next = new URL(from)
  next.search = target.search
  for (const name of new Set(next.searchParams.keys())) if (isHiddenMethod(name)) next.searchParams.delete(name)
  return next.href === from.href ? undefined : { ...call, url: next.href }
}

function withQuery(call: ApiCall, from: URL, name: string, value: string): ApiCall | undefined {
  const next = new URL(from)
  next.searchParams.set(name, value)
  return next.href === from.href ? undefined : { ...call, url: next.href }
}

/** The target of relation `next` in a `Link` header (RFC 8288). */
export function nextLinkOf(header: string | undefined): string | undefined {
  return /<([^>]*)>\s*;[^,<]*\brel="?next\b/i.exec(header ?? '')?.[1]
}
