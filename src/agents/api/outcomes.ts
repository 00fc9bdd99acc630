import { cut, decoded, isObject } from '../../core/outside.ts'
import { placeOf } from '../../core/artifacts.ts'
import { TuttiError } from '../../core/errors.ts'
import { localeProfile } from '../../core/locale.ts'
import type { Source } from '../../core/result.ts'
import type { Table } from '../../core/table.ts'
import type { ApiCall } from './request/build.ts'
import type { Reply } from './response/reply.ts'

const SHOWN_FIELDS = 12
const SHOWN_TEXT = 600

/** The place that an answer rests on. */
export function sourceOf({ api, method, url }: ApiCall): Source {
  const { pathname, search } = new URL(url)
  return { kind: 'api', name: api, detail: `${method} ${pathname}${decoded(search)}`, url }
}

/** An answer in a few words, without a model. */
export function plainAnswer(call: ApiCall, reply: Reply, table: Table | undefined, locale?: string): string {
  const { number } = localeProfile(locale)
  const { pathname, searchParams } = new URL(call.url)
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  const done = isRead ? '' : `Done: ${call.method} ${pathname} was answered with ${reply.status}. `
  if (reply.kind === 'empty') return isRead ? 'No data was returned.' : done.trim()
  if (reply.kind === 'binary') {
    const kept = reply.artifact === undefined ? '' : ` It is kept ${placeOf(reply.artifact)}.`
    return `${done}The answer is a file (${reply.mediaType || 'unknown type'}, ${number(reply.bytes)} bytes).${kept}`
  }
  if (table !== undefined) {
    const filters = [...searchParams].map(([name, value]) => `${name} ${value}`)
    const limits = filters.length === 0 ? '' : ` (${filters.join(', ')})`
    if (table.rowCount === 0) return `${done}No data was returned${limits}.`
    const count = `${table.truncated === true ? 'At least ' : ''}${number(table.rowCount)}`
    return `${done}${count} ${nounOf(pathname, table.rowCount)} found${limits}.`
  }
  if (isObject(reply.json)) return `${done}${fieldsOf(reply.json, number)}`
  const text = reply.text ?? JSON.stringify(reply.json)
  return `${done}${cut(text, SHOWN_TEXT)}`
}

function nounOf(pathname: string, count: number): string {
  const last = pathname.split('/').findLast((segment) => /^[a-z][a-z_-]*s$/i.test(segment))
  if (last === undefined || count === 1) return count === 1 ? 'record was' : 'records were'
  return `${last.replace(/[-_]/g, ' ')} were`
}

function fieldsOf(record: Readonly<Record<string, unknown>>, number: (value: number) => string): string {
  const flat = Object.entries(record).flatMap(([key, value]) => {
    if (isObject(value))
      return Object.entries(value).map(([inner, deep]): [string, unknown] => [`${key}.${inner}`, deep])
    return [[key, value] as [string, unknown]]
  })
  const shown = flat.filter(([, value]) => value !== null && value !== '' && typeof value !== 'object')
  const texts = shown.slice(0, SHOWN_FIELDS).map(([key, value]) => {
    const isCode = /id$|year|code|number/i.test(key)
    return `${key}: ${typeof value === 'number' && !isCode ? number(value) : String(value)}`
  })
  return texts.length === 0 ? `The answer is ${JSON.stringify(record).slice(0, SHOWN_TEXT)}.` : `${texts.join(', ')}.`
}

/** Statuses after which a later attempt may well succeed. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504])

/** A call that the service refused (SPEC P10, `HttpError`). The answer shows a clean sentence; status and reason are here. */
export function httpError(call: ApiCall, reply: Reply, wanted: readonly string[]): TuttiError {
  const { pathname, host } = new URL(call.url)
  const reason = reasonIn(reply)
  const hint = hintFor(reply.status, call.signIn, wanted)
  const message = `${call.method} ${pathname} of ${host} was answered with ${reply.status}${reason === '' ? '' : `: ${reason}`}.${hint}`
  const isRead = call.method === 'GET' || call.method === 'HEAD'
  return new TuttiError('HttpError', message, {
    retryable: isRead && PASSING.has(reply.status),
    details: { status: reply.status, ...(reply.retryAfter === undefined ? {} : { retryAfter: reply.retryAfter }) },
  })
}

function hintFor(status: number, signIn: string, wanted: readonly string[]): string {
  if (status !== 401 && status !== 403) return ''
  if (signIn !== 'none') return ` The sign-in "${signIn}" was not accepted.`
  const ways = wanted.length === 0 ? '' : ` (${wanted.join(' or ')})`
  return ` No sign-in was sent${ways}; set up its credentials, or give "api_bearer_token" in the context.`
}

/** What the body says of the reason, in its usual fields. */
function reasonIn({ json, text = '' }: Reply): string {
  const fields = ['message', 'error_description', 'detail', 'title', 'error', 'reason', 'errors']
  const find = (node: unknown): string => {
    if (typeof node === 'string') return node
    if (Array.isArray(node)) return find(node[0])
    if (!isObject(node)) return ''
    return fields.map((field) => find(node[field])).find((found) => found !== '') ?? ''
  }
  const found = find(json) || (/<html|<!doctype/i.test(text) ? '' : text)
  return found.replace(/\s+/g, ' ').trim().slice(0, 300).replace(/\.$/, '')
}
