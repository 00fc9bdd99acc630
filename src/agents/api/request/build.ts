import { isExactNumber } from '../../../shared/exact-number.ts'
import { TuttiError } from '../../../domain/errors.ts'
import type { Api } from '../open.ts'
import { typeOf } from '../catalogue/parts.ts'
import type { Endpoint, Schema } from '../catalogue/types.ts'
import type { BaseUrl } from './base-url.ts'
import type { CallPlan } from './call-plan.ts'
import { declaredParams } from './declared-params.ts'
import { isObject } from '../../../shared/json.ts'
import { isSecretName } from '../../../shared/secret-names.ts'
import { MASK } from '../../../domain/secrets.ts'
import { sortBySchema, mergedSchema, objectIn } from '../../../domain/merged-schema.ts'
import { renderPath } from './path.ts'
import { queryEntries } from './styles.ts'

/** A call as it is shown in the approval and stored in the log: exact, with secrets masked. */
export interface ApiCall {
  readonly api: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body as it is sent. */
  readonly body?: string
  /** Which sign-in is added when it is sent. */
  readonly signIn: string
  /** Query parameters of the plan that the operation does not declare, so that they are not sent. */
  readonly leftOut?: readonly string[]
}

interface BuildParts {
  readonly api: Api
  readonly endpoint: Endpoint
  readonly base: BaseUrl
  readonly signIn: string
  /** From context `api_headers`. */
  readonly contextHeaders: Readonly<Record<string, string>>
}

/**
 * Makes the exact call of a plan: `Accept`, the context's headers, and the plan's declared parameters. It only names
 * the sign-in.
 * @throws TuttiError `PathResolutionError`
 */
export function buildCall(planned: CallPlan, { api, endpoint, base, signIn, contextHeaders }: BuildParts): ApiCall {
  const plan = withQueryByField(withoutQueryInPath(planned), endpoint)
  const { queryParams, headers, leftOut } = declaredParams(plan, endpoint, contextHeaders)
  const prefix = base.url.pathname.replace(/\/+$/, '')
  const search = renderQuery(queryParams, endpoint)
  const rendered = renderPath(plan.path, plan.pathParams, endpoint.params)
  const url = new URL(`${base.url.origin}${prefix}${rendered}${search === '' ? '' : `?${search}`}`)
  if (url.origin !== base.url.origin || !url.pathname.startsWith(prefix)) {
    const path = plan.path.slice(0, 200)
    throw new TuttiError('PathResolutionError', `"${path}" leads away from ${base.url.origin}${prefix}.`)
  }
  const method = plan.method.toUpperCase()
  const hasBody = plan.jsonBody !== null && method !== 'GET' && method !== 'HEAD'
  const sent = hasBody ? bodyOf(plan.jsonBody, endpoint) : undefined
  const contextEntries = Object.entries(contextHeaders).map(([name, value]) => [
    name,
    isSecretName(name) ? MASK : value,
  ])
  return {
    api: api.catalogue.name,
    method,
    url: url.href,
    headers: {
      Accept: 'application/json, */*;q=0.5',
      ...Object.fromEntries(contextEntries),
      ...headers,
      ...(sent && { 'Content-Type': sent.mediaType }),
    },
    ...(sent && { body: sent.body }),
    signIn,
    ...(leftOut.length > 0 && { leftOut }),
  }
}

function bodyOf(value: unknown, endpoint: Endpoint): ReturnType<typeof encodeBody> {
  const { mediaType = 'application/json', schema = {} } = endpoint.body() ?? {}
  return encodeBody(sortBySchema(schema, value), mediaType, schema)
}

/**
 * The names of a query as the operation declares them; an object that is written field by field has its fields' names.
 */
function withQueryByField(plan: CallPlan, { params }: Endpoint): CallPlan {
  const isDeclared = (name: string): boolean => params.some((param) => param.name === name)
  const fields = Object.entries(plan.queryParams).flatMap(([name, value]): [string, unknown][] => {
    if (!isObject(value) || isDeclared(name)) return [[name, value]]
    return Object.entries(value).map(([field, inner]) => {
      const deep = `${name}[${field}]`
      return [isDeclared(field) && !isDeclared(deep) ? field : deep, inner]
    })
  })
  return { ...plan, queryParams: Object.fromEntries(fields) as CallPlan['queryParams'] }
}

/** Undeclared parameters are written as `a=1&a=2` and `a[b]=1`. */
export function renderQuery(query: Readonly<Record<string, unknown>>, endpoint?: Endpoint): string {
  const params = endpoint?.params.filter((param) => param.in === 'query') ?? []
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const writing = params.find((param) => param.name === name) ?? { name, style: 'deepObject', explode: true }
    for (const entry of queryEntries(value, writing)) search.append(...entry)
  }
  return search.toString()
}

/** Models like to write the query into the path. */
function withoutQueryInPath(plan: CallPlan): CallPlan {
  const { path, queryParams } = plan
  const at = path.indexOf('?')
  if (at < 0) return plan
  const inPath = Object.fromEntries(new URLSearchParams(path.slice(at + 1)))
  return { ...plan, path: path.slice(0, at), queryParams: { ...inPath, ...queryParams } }
}

/**
 * A planned body in the media type that the endpoint takes: JSON, or a form with nested fields as `a[b]=c`.
 * @throws TuttiError `PlanningDeclined` for media types that a plan cannot be written in
 */
export function encodeBody(
  value: unknown,
  mediaType: string,
  schema: Schema = {},
): { readonly mediaType: string; readonly body: string } {
  const type = mediaType.split(';', 1)[0]!.trim().toLowerCase()
  if (/[/+]json$/.test(type)) return { mediaType: type, body: jsonText(value, schema) }
  if (type === '*/*') return { mediaType: 'application/json', body: jsonText(value, schema) }
  if (type === 'application/x-www-form-urlencoded') {
    const form = new URLSearchParams()
    addFields(form, '', value)
    return { mediaType: type, body: form.toString() }
  }
  throw new TuttiError('PlanningDeclined', `This request takes ${type}, and only JSON and forms can be sent.`)
}

/** JSON in which decimal texts become numbers if the schema requires numbers. */
function jsonText(value: unknown, schema: Schema): string {
  if (Array.isArray(value))
    return `[${value.map((item) => jsonText(item, objectIn(mergedSchema(schema, schema).items))).join(',')}]`
  if (isObject(value)) {
    const properties = mergedSchema(schema, schema).properties
    const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
    return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}:${jsonText(inner, objectIn(properties[key]))}`).join(',')}}`
  }
  const isNumber = ['integer', 'number'].includes(typeOf(schema).type ?? '')
  return isNumber && typeof value === 'string' && isExactNumber(value) ? value : (JSON.stringify(value) ?? 'null')
}

function addFields(form: URLSearchParams, prefix: string, value: unknown): void {
  if (value === null || value === undefined) return
  if (typeof value !== 'object') {
    form.append(prefix, String(value))
    return
  }
  for (const [key, inner] of Object.entries(value)) {
    const name = Array.isArray(value) ? '' : key
    addFields(form, prefix === '' ? key : `${prefix}[${name}]`, inner)
  }
}
