import type { EarlierCall, Leaving } from '../../core/tool.ts'
import type { Api } from './api.ts'
import type { Endpoint, ParamType, Schema } from './catalogue/types.ts'
import type { BaseUrl } from './request/base-url.ts'
import type { ApiCall } from './request/build.ts'
import { isLimitParam, nextPage } from './response/pages.ts'
import { isRow } from './response/records.ts'
import type { Reply } from './response/reply.ts'

/** Where a call goes, as it was prepared. */
export interface CallPlace {
  readonly api: Api
  readonly endpoint: Endpoint
  readonly base: BaseUrl
  /** Values of the path's placeholders. */
  readonly pathParams: Readonly<Record<string, unknown>>
  /** From the request's context: the caller's own. */
  readonly contextHeaders: Readonly<Record<string, string>>
  /** The server is one of the operator's own network. */
  readonly isInternal: boolean
}

/** Sizes of a page that anybody would ask for; which one says next to nothing. */
const USUAL_LIMITS: ReadonlySet<string> = new Set('1 2 3 5 10 20 25 50 100 200 250 500 1000'.split(' '))

/**
 * What of a reading call is not settled by the operator's catalogue: values of parameters that it does not list, and names
 * that it does not declare. Undefined where nothing leaves that is not known there: a trusted or internal service, or the
 * next page, which the service named itself.
 */
export function leavingOf(call: ApiCall, place: CallPlace, earlier: readonly EarlierCall[]): Leaving | undefined {
  const { api, base, isInternal } = place
  if (isInternal || (api.trusted === true && base.isOperators)) return undefined
  if (earlier.some((one) => isNextOf(call, one, place.endpoint))) return undefined
  const parts = [
    ...pathParts(place),
    ...queryParts(call, place),
    ...headerParts(call, place),
    ...bodyParts(call, place),
  ]
  return {
    to: `the API "${api.catalogue.name}" at ${base.url.host}`,
    parts: base.isOperators ? parts : [base.url.href, ...parts],
    takesIds: base.isOperators,
  }
}

/** Whether the call is the page after one that was read, by the service's own link or cursor, or by counting. */
function isNextOf(call: ApiCall, { tool, input, output }: EarlierCall, endpoint: Endpoint): boolean {
  const before = input as ApiCall
  if (tool !== 'http_get' || output === undefined || before.api !== call.api || before.body !== call.body) return false
  const next = nextPage(before, output as Reply, endpoint)
  return next !== undefined && sameCall(next, call)
}

function sameCall(a: ApiCall, b: ApiCall): boolean {
  return a.method === b.method && a.url === b.url && JSON.stringify(a.headers) === JSON.stringify(b.headers)
}

function pathParts({ endpoint, pathParams }: CallPlace): unknown[] {
  const names = [...endpoint.path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!)
  return names.flatMap((name) => {
    const type = endpoint.params.find((param) => param.in === 'path' && param.name === name)?.type ?? {}
    return isListed(type, String(pathParams[name])) ? [] : [pathParams[name]]
  })
}

function queryParts({ url }: ApiCall, { endpoint }: CallPlace): unknown[] {
  return [...new URL(url).searchParams].flatMap(([name, text]) => {
    const param = endpoint.params.find((candidate) => candidate.in === 'query' && candidate.name === name)
    if (param === undefined) return [name, text]
    if (isLimitParam(param) && USUAL_LIMITS.has(text)) return []
    const isList = param.type.type === 'array' || param.type.items !== undefined
    const values = isList && !param.explode ? text.split(',') : [text]
    return values.filter((value) => !isListed(isList ? (param.type.items ?? {}) : param.type, value))
  })
}

function headerParts({ headers }: ApiCall, { endpoint, contextHeaders }: CallPlace): unknown[] {
  return Object.entries(headers).flatMap(([name, text]) => {
    if (['accept', 'content-type'].includes(name.toLowerCase()) || name in contextHeaders) return []
    const isName = (other: string): boolean => other.toLowerCase() === name.toLowerCase()
    const param = endpoint.params.find((candidate) => candidate.in === 'header' && isName(candidate.name))
    if (param === undefined) return [name, text]
    return isListed(param.type, text) ? [] : [text]
  })
}

function bodyParts({ body }: ApiCall, { endpoint }: CallPlace): unknown[] {
  if (body === undefined) return []
  const schema = endpoint.body()?.schema ?? {}
  const json = parsed(body)
  return json === undefined ? [...new URLSearchParams(body)].flat() : valueParts(json, schema)
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}

/** Field names of the schema are the catalogue's; all other names and values count. */
function valueParts(value: unknown, schema: Schema): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => valueParts(one, schemaIn(schema['items'])))
  if (!isRow(value)) return isListed(schema as ParamType, String(value)) ? [] : [value]
  const properties = schemaIn(schema['properties'])
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Object.hasOwn(properties, name) ? [] : [name]),
    ...valueParts(inner, schemaIn(properties[name])),
  ])
}

function schemaIn(value: unknown): Schema {
  return isRow(value) ? value : {}
}

/** Whether the catalogue itself names the value. */
function isListed({ type, enum: listed = [], default: usual }: ParamType, text: string): boolean {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return true
  return listed.some((one) => String(one) === text) || (usual !== undefined && String(usual) === text)
}
