import { exactNumber } from '../../shared/exact-number.ts'
import { isObject, tryParseExactJson } from '../../shared/json.ts'
import { exceedsRuleText, ruleText } from '../../shared/rule-text.ts'
import { wordSet } from '../../shared/word-set.ts'
import { singular } from '../../databases/glossary/words.ts'
import type { Api } from '../../agents/api/open.ts'
import type { Catalogue, Endpoint, Param, Schema } from '../../agents/api/catalogue/types.ts'
import { callPlanSchema, type CallPlan } from '../../agents/api/request/call-plan.ts'
import { matchEndpoint } from '../../agents/api/request/match-endpoint.ts'
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
const FIELD = /(?<![\w.[\]-])([\w.[\]-]{1,64})(?:=|:(?=\s))\s*(?:"([^"]*)"|“([^”]*)”|([^\s,;"“]+))/g
/** Filler words. Words that restrict a result, such as “not” and “latest”, are not among them. */
const SMALL_WORDS = wordSet(
  'a an the all any every please show list get give fetch find call use run make send and with for of from to in on at by via me us my our is are there what which how many do does have has can about it its api service endpoint endpoints operation operations parameter parameters',
)
const ABOUT_API = /\b(?:endpoints?|operations?)\b|\bwhat can (?:the |this )?(?:[\w-]+ )?api do\b/i
const ABOUT_ONE = /\b(?:parameters?|fields|headers|body|sign[- ]in)\b/i
const MAX_CLOSE = 3
const MAX_NAMED = 5

/**
 * Reads the single call that a question writes out: an endpoint by method and path, by operationId, or by all words of
 * its path or summary, with parameters as `name=value`. Any other word makes the question unreadable.
 * @param rank the operations, closest to the question first
 */
export function readCall(
  text: string,
  apis: readonly Api[],
  rank: readonly Operation[],
  context: Readonly<Record<string, unknown>>,
): Read {
  if (exceedsRuleText(text)) return { why: '', close: rank.slice(0, MAX_CLOSE) }
  const all = apis.flatMap(({ catalogue: api }) => api.endpoints.map((endpoint) => ({ api, endpoint })))
  const [written, method = '', target = ''] = WRITTEN_CALL.exec(text) ?? []
  const remainingText = written === undefined ? text : text.replace(written, ' ')
  const json = written === undefined ? '' : (/\{.*\}/s.exec(remainingText)?.[0] ?? '')
  const body = tryParseExactJson(json)
  const { fields, left } = fieldsIn(isObject(body) ? remainingText.replace(json, ' ') : remainingText)
  const path = target.replace(/[.,;:!?]+$/, '')
  const isWanted = written === undefined || /^(?:GET|HEAD)$/i.test(method) || requestsCall(text, text.indexOf(written))
  if (written === undefined && ABOUT_API.test(text) && Object.keys(fields).length === 0) {
    const words = contentWords(left)
    const isAbout = ({ api, endpoint: { path, summary } }: Operation): boolean => {
      const own = contentWords(`${path} ${summary} ${api.name}`)
      return words.every((word) => own.includes(word))
    }
    if (all.some(isAbout)) return { listed: all.filter(isAbout) }
  }
  const isById = ({ endpoint: { operationId: id } }: Operation): boolean =>
    id !== '' && left.split(/[\s,;:?!"“”]+/).includes(id)
  const ids = all.filter(isById)
  const words = contentWords(ids.reduce((rest, { endpoint }) => rest.replace(endpoint.operationId, ' '), left))
  const meant =
    written === undefined
      ? ids.length > 0
        ? ids
        : all.filter((operation) => spokenWords(operation, words).size > 0)
      : all.filter(({ api, endpoint }) => matchEndpoint(api, method, path.split('?', 1)[0]!)?.endpoint === endpoint)
  const isAbout = Object.keys(fields).length === 0 && json === '' && ABOUT_ONE.test(remainingText)
  if (!isWanted || (isAbout && meant.length > 0))
    return meant.length > 0 ? { listed: meant } : { why: '', close: rank.slice(0, MAX_CLOSE) }
  const reads = meant.map((operation) => {
    const operationWords = spokenWords(operation, words)
    const unread = words.filter((word) => !operationWords.has(word))
    if (unread.length > 0) return { why: `${listed(unread)} is no parameter` }
    if (written === undefined && (operation.endpoint.effect !== 'read' || operation.endpoint.method !== 'GET'))
      return { why: '' }
    return planOf(operation, path, fields, isObject(body) ? body : {}, context)
  })
  const plans = reads.filter((read) => 'plan' in read)
  if (plans.length === 1 || (written !== undefined && plans.length > 0)) return plans[0]!
  const reason = reads.flatMap((read) => ('why' in read && read.why !== '' ? [read.why] : []))[0] ?? ''
  const others = rank.filter(({ endpoint }) => !meant.some((one) => one.endpoint === endpoint))
  const close = written !== undefined && meant.length > 0 ? meant : [...meant, ...others].toSorted(compareFit(text))
  return { why: reason, close: close.slice(0, MAX_CLOSE) }
}

/** Sorts by the number of words and values that the question contains. */
function compareFit(text: string): (a: Operation, b: Operation) => number {
  const words = contentWords(text)
  const fit = (operation: Operation): number => {
    const own = contentWords(`${operation.endpoint.path} ${operation.endpoint.summary} ${howToAsk(operation, text)}`)
    return words.filter((word) => own.includes(word)).length
  }
  return (a, b) => fit(b) - fit(a)
}

/**
 * The call with all values filled in.
 * @param path as written in the question; if empty, that of the catalogue
 */
function planOf(
  { api, endpoint }: Operation,
  path: string,
  fields: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>>,
  context: Readonly<Record<string, unknown>>,
): { readonly plan: CallPlan } | { readonly why: string } {
  const [bare = '', query = ''] = (path || endpoint.path).split('?', 2)
  const { required: needsBody = false, schema = {} } = endpoint.body() ?? {}
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
  const places = { path: {}, query: {}, header: {}, cookie: {} } as Record<string, Record<string, unknown>>
  Object.assign(places['path']!, matchEndpoint(api, endpoint.method, bare)?.pathParams)
  const sent: Record<string, unknown> = { ...body }
  const unknownFields: string[] = []
  for (const [name, value] of Object.entries(fields)) {
    const param = endpoint.params.find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (param !== undefined) places[param.in]![param.name] = value
    else if (Object.hasOwn(properties, name)) sent[name] = bodyValue(value, properties[name]!)
    else unknownFields.push(name)
  }
  if (unknownFields.length > 0) return { why: `${listed(unknownFields)} is no parameter` }
  const inQuery = new URLSearchParams(query)
  const missing = endpoint.params.flatMap(({ name, in: place, required, type }) => {
    if (!required || (places[place]![name] ?? inQuery.get(name) ?? type.default ?? null) !== null) return []
    const contextValue = context[name]
    if (typeof contextValue !== 'string' && typeof contextValue !== 'number') return [name]
    places[place]![name] = contextValue
    return []
  })
  const fieldsOfBody = needsBody && Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const open = [...missing, ...fieldsOfBody.filter((name) => sent[name] === undefined)]
  if (open.length > 0) return { why: `${listed(open)} is missing` }
  const plan = callPlanSchema.parse({
    api: api.name,
    method: endpoint.method,
    path: endpoint.path + (query === '' ? '' : `?${query}`),
    pathParams: places['path'],
    queryParams: places['query'],
    headers: places['header'],
    jsonBody: Object.keys(sent).length === 0 ? null : sent,
    reason: 'The question names the request itself.',
  })
  return { plan }
}

/** “GET /orders/{orderId} with orderId=915”: what the question says of the values is in their places. */
export function howToAsk({ endpoint: { method, path, params, body } }: Operation, question: string): string {
  const text = ruleText(question)
  const words = contentWords(text)
  const numbers = [...text.matchAll(/(\p{L}+)\s+#?(\d+)(?![\w.-])/gu)]
  const valueOf = ({ name, in: place, type }: Param): string | undefined => {
    const choices = type.enum?.filter((value) => words.includes(String(value).toLowerCase())) ?? []
    if (choices.length === 1) return String(choices[0])
    const nouns = contentWords(place === 'path' ? `${name} ${path}` : name)
    const [value, ...others] = numbers.filter(([, noun]) => nouns.includes(singular(noun!.toLowerCase())))
    return others.length === 0 ? value?.[2] : undefined
  }
  const fields = body()?.schema['required']
  const values = [
    ...params
      .filter((param) => param.required || valueOf(param) !== undefined)
      .map((param) => `${param.name}=${valueOf(param) ?? '…'}`),
    ...(Array.isArray(fields) ? fields.map((name) => `${name}=…`) : []),
  ]
  return `${method} ${path}${values.length === 0 ? '' : ` with ${values.join(', ')}`}`
}

/** The words of the path or the summary of an operation, if the question contains all of them. */
function spokenWords({ api, endpoint }: Operation, words: readonly string[]): ReadonlySet<string> {
  const fixed = endpoint.path.replaceAll(/\{[^{}]*\}|\/v\d+(?=\/)/g, ' ')
  const own = [contentWords(fixed), contentWords(endpoint.summary)].filter((texts) => texts.length > 0)
  const mentioned = own.filter((texts) => texts.every((word) => words.includes(word))).flat()
  return new Set(mentioned.length === 0 ? [] : [...mentioned, ...contentWords(api.name)])
}

function contentWords(text: string): string[] {
  const plain = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !SMALL_WORDS.has(word)).map(singular)
}

function fieldsIn(text: string): { readonly fields: Readonly<Record<string, string>>; readonly left: string } {
  const fields: Record<string, string> = {}
  const remainder = text.replaceAll(FIELD, (_all, name: string, ...[straight, curly, bare]: (string | undefined)[]) => {
    fields[name] = straight ?? curly ?? bare!.replace(/[.?!]+$/, '')
    return ' '
  })
  return { fields, left: remainder }
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
