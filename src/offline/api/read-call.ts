import { exactNumber } from '../../shared/exact-number.ts'
import { isObject, tryParseExactJson } from '../../shared/json.ts'
import { exceedsRuleText } from '../../shared/rule-text.ts'
import { wordSet } from '../../shared/word-set.ts'
import { singular } from '../../databases/glossary/words.ts'
import type { Api } from '../../agents/api/open.ts'
import type { Catalogue, Endpoint, Schema } from '../../agents/api/catalogue/types.ts'
import { callPlanSchema, type CallPlan } from '../../agents/api/request/call-plan.ts'
import { matchEndpoint } from '../../agents/api/request/match-endpoint.ts'
import { writtenFields } from '../../agents/tool-agent/written-fields.ts'
import { requestsCall } from '../tools/asks-for.ts'

export interface Operation {
  readonly api: Catalogue
  readonly endpoint: Endpoint
}

export type Read =
  | { readonly plan: CallPlan }
  /** The operations that the question asks to list. */
  | { readonly listed: readonly Operation[] }
  /** `why` may be empty. */
  | { readonly why: string; readonly close: readonly Operation[] }

const WRITTEN_CALL = /\b(GET|HEAD|POST|PUT|PATCH|DELETE)\s+(\/[^\s"'`]*)/i
/** Filler words. Words that restrict a result, such as “not” and “latest”, are not among them. */
const SMALL_WORDS = wordSet(
  'a an the all any every please show list get give fetch find call use run make send and with for of from to in on at by via me us my our is are there what which how many do does have has can about it its api service endpoint endpoints operation operations parameter parameters',
)
const ABOUT_API = /\b(?:endpoints?|operations?)\b|\bwhat can (?:the |this )?(?:[\w-]+ )?api do\b/i
const ABOUT_ONE = /\b(?:parameters?|fields|headers|body|sign[- ]in)\b/i
const MAX_CLOSE = 3
const MAX_NAMED = 5

/**
 * Reads the single call that a question writes out: an endpoint by method and path or by operationId, with parameters
 * as `name=value`. Any other word makes the question unreadable.
 * @param rank the operations, closest to the question first
 */
export function readCall(
  text: string,
  apis: readonly Api[],
  rank: readonly Operation[],
  context: Readonly<Record<string, unknown>>,
): Read {
  const unread = { why: '', close: rank.slice(0, MAX_CLOSE) }
  if (exceedsRuleText(text)) return unread
  const all = apis.flatMap(({ catalogue: api }) => api.endpoints.map((endpoint) => ({ api, endpoint })))
  const [written, method = '', target = ''] = WRITTEN_CALL.exec(text) ?? []
  const spoken = written === undefined ? text : text.replace(written, ' ')
  const json = written === undefined ? '' : (/\{.*\}/s.exec(spoken)?.[0] ?? '')
  const body = tryParseExactJson(json)
  const path = target.replace(/[.,;:!?]+$/, '')
  const isQuestion = json === '' && !spoken.includes('=')
  if (written === undefined && isQuestion && ABOUT_API.test(text)) {
    const words = contentWords(text)
    const listed = all.filter(({ api, endpoint: { path, summary } }) => {
      const own = contentWords(`${path} ${summary} ${api.name}`)
      return words.every((word) => own.includes(word))
    })
    if (listed.length > 0) return { listed }
  }
  const meant = written === undefined ? operationsNamed(all, text) : operationsAt(all, method, path)
  const isWanted = written === undefined || /^(?:GET|HEAD)$/i.test(method) || requestsCall(text, text.indexOf(written))
  if (!isWanted || (isQuestion && meant.length > 0 && ABOUT_ONE.test(spoken)))
    return meant.length > 0 ? { listed: meant } : unread
  const reads = meant.map((operation) => {
    const isChange = operation.endpoint.effect !== 'read' || operation.endpoint.method !== 'GET'
    const read = planOf(operation, path, spoken.replace(json, ' '), isObject(body) ? body : {}, context)
    return 'plan' in read && written === undefined && isChange ? { why: '' } : read
  })
  const plans = reads.filter((read) => 'plan' in read)
  if (plans.length === 1 || (written !== undefined && plans.length > 0)) return plans[0]!
  const [why = ''] = reads.flatMap((read) => ('why' in read && read.why !== '' ? [read.why] : []))
  const others = rank.filter(({ endpoint }) => !meant.some((one) => one.endpoint === endpoint))
  const close = written !== undefined && meant.length > 0 ? meant : [...meant, ...others]
  return { why, close: close.slice(0, MAX_CLOSE) }
}

function operationsAt(all: readonly Operation[], method: string, path: string): readonly Operation[] {
  return all.filter(({ api, endpoint }) => matchEndpoint(api, method, path.split('?', 1)[0]!)?.endpoint === endpoint)
}

function operationsNamed(all: readonly Operation[], text: string): readonly Operation[] {
  const words = new Set(text.split(/[\s,;:?!"“”]+/))
  return all.filter(({ endpoint: { operationId } }) => operationId !== '' && words.has(operationId))
}

/**
 * The call with all values filled in.
 * @param path as written in the question; if empty, that of the catalogue
 * @param text the question without the call that it writes out
 */
function planOf(
  { api, endpoint }: Operation,
  path: string,
  text: string,
  body: Readonly<Record<string, unknown>>,
  context: Readonly<Record<string, unknown>>,
): { readonly plan: CallPlan } | { readonly why: string } {
  const { method, params, operationId } = endpoint
  const [bare = '', query = ''] = (path || endpoint.path).split('?', 2)
  const { required: needsBody = false, schema = {} } = endpoint.body() ?? {}
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
  const names = [...params.map(({ name }) => name), ...Object.keys(properties)]
  const { input, left, isOpen } = writtenFields(
    text,
    Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  )
  const known = contentWords(api.name)
  const words = contentWords(operationId === '' ? left : left.replace(operationId, ' '))
  const unread = words.filter((word) => !known.includes(word))
  if (unread.length > 0) return { why: `${listed(unread)} is no parameter` }
  if (isOpen) return { why: 'the value of a parameter; write several words in quotation marks' }
  const places = { path: {}, query: {}, header: {}, cookie: {} } as Record<string, Record<string, unknown>>
  Object.assign(places['path']!, matchEndpoint(api, method, bare)?.pathParams)
  const sent: Record<string, unknown> = { ...body }
  for (const [name, value] of Object.entries(input)) {
    const param = params.find((one) => one.name === name)
    if (param === undefined) sent[name] = bodyValue(String(value), properties[name]!)
    else places[param.in]![name] = value
  }
  const inQuery = new URLSearchParams(query)
  const missing = params.flatMap(({ name, in: place, required, type }) => {
    if (!required || (places[place]![name] ?? inQuery.get(name) ?? type.default ?? null) !== null) return []
    const value = context[name]
    if (typeof value !== 'string' && typeof value !== 'number') return [name]
    places[place]![name] = value
    return []
  })
  const fieldsOfBody = needsBody && Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const open = [...missing, ...fieldsOfBody.filter((name) => sent[name] === undefined)]
  if (open.length > 0) return { why: `${listed(open)} is missing` }
  const plan = callPlanSchema.parse({
    api: api.name,
    method,
    path: endpoint.path + (query === '' ? '' : `?${query}`),
    pathParams: places['path'],
    queryParams: places['query'],
    headers: places['header'],
    jsonBody: Object.keys(sent).length === 0 ? null : sent,
    reason: 'The question names the request itself.',
  })
  return { plan }
}

/** “GET /orders/{orderId} with orderId=…”. */
export function howToAsk({ endpoint: { method, path, params, body } }: Operation): string {
  const fields = body()?.schema['required']
  const names = params.filter(({ required }) => required).map(({ name }) => name)
  const values = [...names, ...(Array.isArray(fields) ? fields : [])].map((name) => `${name}=…`)
  return `${method} ${path}${values.length === 0 ? '' : ` with ${values.join(', ')}`}`
}

function contentWords(text: string): string[] {
  const plain = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !SMALL_WORDS.has(word)).map(singular)
}

function bodyValue(text: string, { type }: Schema): unknown {
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  const isNumber = (type === 'number' || type === 'integer') && /^-?\d+(?:\.\d+)?$/.test(text)
  return isNumber ? exactNumber(text) : text
}

function listed(names: readonly string[]): string {
  return names
    .slice(0, MAX_NAMED)
    .map((name) => `“${name}”`)
    .join(', ')
}
