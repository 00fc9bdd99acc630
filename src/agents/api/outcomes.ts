import { decodePercent, isObject } from '../../shared/json.ts'
import { TuttiError } from '../../domain/errors.ts'
import type { Source } from '../../domain/result.ts'
import type { ApiCall } from './request/build.ts'
import type { Reply } from './response/reply.ts'

/** The place that an answer rests on. */
export function callSource({ api, method, url }: ApiCall): Source {
  const { pathname, search } = new URL(url)
  return { kind: 'api', name: api, detail: `${method} ${pathname}${decodePercent(search)}`, url }
}

/** Statuses after which a later attempt may well succeed. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504])

/** A call that the service refused (`HttpError`). The answer shows a clean sentence; status and reason are here. */
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

/** The reason of a failure from the usual fields of the body. */
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
