import { MAX_RULE_TEXT } from '../../../core/rule-text.ts'
import { needsModel } from '../../../core/without-model.ts'
import { wordSet } from '../../../core/word-set.ts'
import { isObject, parsedExactJson } from '../../../core/outside.ts'
import type { Facts } from '../../../core/facts.ts'
import { unreadIn } from '../../../language/periods.ts'
import type { Api } from '../api.ts'
import type { Endpoint } from '../catalogue/types.ts'
import { declined, type CallPlan } from '../request/call-plan.ts'
import { bindPlaceholders, placeholdersOf } from './placeholders.ts'
import type { Ranked } from '../search/endpoint-index.ts'
import { isValueLike, meansNoun } from './question.ts'
import { isStopWord, stem, tokensOf } from '../../../language/tokens.ts'
import { isVerb } from './verbs.ts'
import { askedInstead, belongsToOther, resourceOf } from './asked-for.ts'
import { fillBody } from './body.ts'
import { fillParams, type Values } from './query-params.ts'
import { fromContext, isFree, startReading, todayIn, use, type Reading } from './reading.ts'

/** Endpoints with less of the best one's score are not what was asked for. */
const WORTH_TRYING = 0.5
const MOST_TRIED = 5
const MOST_NAMED = 8

/** Words that limit nothing. "Not", "latest" and the like are none of them: to pass over those is to answer wrongly. */
const SMALL_WORDS = wordSet(
  'new many much number count than per belong belongs placed defined raised exist exists existing configured own also same still please everything anything there having value',
)

/** What a list of records does not answer by itself. */
const WORKED_OUT =
  /\b(sum|average|mean|median|percent(age)?|share|total (of|amount|revenue|value|sales|number)|per (hour|day|week|month|quarter|year|\w+er)|grouped|highest|lowest|most|least|largest|smallest|biggest|cheapest)\b/i

/**
 * Plans a call without a model: the best-scored endpoint whose parameters follow from question and context without a
 * choice, and that leaves no word of the question unexplained. Else it declines, and says why.
 */
export function planByRules(
  question: string,
  ranked: readonly Ranked[],
  apis: readonly Api[],
  context: Readonly<Record<string, unknown>>,
  period?: Facts['period'],
): CallPlan {
  if (question.length > MAX_RULE_TEXT) return declined(needsModel())
  const written = writtenCall(question)
  if (written !== undefined) return written
  const unread = period === undefined ? unreadIn(question, todayIn(context)) : undefined
  if (unread !== undefined) return declined(unread.reason)
  const best = ranked[0]
  if (best === undefined) return declined('No endpoint of the configured APIs has anything to do with this question.')
  const resources = new Set(
    ranked.flatMap(({ endpoint }) => (endpoint.effect === 'read' ? (resourceOf(endpoint) ?? []) : [])),
  )
  const tried = ranked
    .filter(({ score }) => score >= best.score * WORTH_TRYING)
    .slice(0, MOST_TRIED)
    .map(({ api, endpoint }) => ({
      endpoint,
      read: readCall(startReading(question, context, period), question, endpoint, apis[api]!, resources),
    }))
  const clear = tried.flatMap(({ endpoint, read }) => ('plan' in read ? [{ endpoint, plan: read.plan }] : []))
  const chosen = clear[0] && (oneOf(clear[0].endpoint, clear, question) ?? clear[0])
  if (chosen !== undefined) return chosen.plan
  const { endpoint, read } = tried[0]!
  const why = 'problem' in read ? read.problem : ''
  return declined(`The endpoint that fits best is ${endpoint.method} ${endpoint.path}, but ${why}.${unsent(endpoint)}`)
}

/** Of a request that would have changed something: that it was not made, and in which words it can be. */
function unsent(endpoint: Endpoint): string {
  if (endpoint.effect === 'read') return ''
  const fields = Object.keys((endpoint.body()?.schema['properties'] ?? {}) as object)
  const names = [...new Set([...endpoint.params.map(({ name }) => name), ...fields])]
  const takes = names.length === 0 ? 'It takes no values' : `It takes ${names.slice(0, MOST_NAMED).join(', ')}`
  return ` Nothing was sent. ${takes}: ask again and say no more than ${names.length === 0 ? 'what is to be done' : 'these'}.`
}

/** "The order", in the singular, is the one that the context names, not the collection. */
function oneOf<T extends { readonly endpoint: Endpoint }>(
  collection: Endpoint,
  clear: readonly T[],
  question: string,
): T | undefined {
  const noun = collection.path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? ''
  if (new RegExp(`\\b${noun.replace(/[^\w-]/g, '')}\\b`, 'i').test(question)) return undefined
  const prefix = `${collection.path.replace(/\/$/, '')}/{`
  return clear.find(({ endpoint }) => endpoint.method === collection.method && endpoint.path.startsWith(prefix))
}

/** "GET /orders?status=open": the call itself stands in the question. Which API it is of shows when it is looked up. */
function writtenCall(question: string): CallPlan | undefined {
  const [, method, path] = /\b(GET|HEAD|POST|PUT|PATCH|DELETE)\s+(\/[^\s"'`]*)/i.exec(question) ?? []
  if (method === undefined || path === undefined) return undefined
  const json = parsedExactJson(/\{.*\}/s.exec(question)?.[0] ?? '')
  return {
    ...declined(''),
    makeRequest: true,
    failureReason: null,
    method: method.toUpperCase(),
    path: path.replace(/[.,;:!]+$/, ''),
    // Braces may be of another kind, such as a placeholder's.
    jsonBody: isObject(json) ? json : null,
    reason: 'The question names the request itself.',
  }
}

function readCall(
  reading: Reading,
  question: string,
  endpoint: Endpoint,
  api: Api,
  resources: ReadonlySet<string>,
): { plan: CallPlan } | { problem: string } {
  const derived = WORKED_OUT.exec(question)?.[0]
  if (derived !== undefined && !isAbout(endpoint, derived)) {
    return { problem: `"${derived}" would have to be worked out from its answer, which takes a language model` }
  }
  const instead = askedInstead(endpoint, reading.words, resources)
  if (instead !== undefined) return { problem: `the question asks for "${instead}"` }
  const path = fillPath(endpoint, reading, resources)
  if ('problem' in path) return path
  const params = fillParams(endpoint.params, reading)
  if ('problem' in params) return params
  const body = fillBody(endpoint, reading)
  if ('problem' in body) return body
  const missing = endpoint.params.filter(
    (param) => param.required && param.in !== 'path' && !(param.name in params.values),
  )
  const names = missing.filter(({ type }) => type.default === undefined).map(({ name }) => `"${name}"`)
  if (names.length > 0) return { problem: `it needs ${names.join(', ')}` }
  const rest = unexplained(reading, endpoint, api)
  if (rest.length > 0) return { problem: `it has no place for ${rest.map((word) => `"${word}"`).join(', ')}` }
  const inHeader = (name: string): boolean =>
    endpoint.params.some((param) => param.name === name && param.in === 'header')
  return {
    plan: {
      makeRequest: true,
      api: api.catalogue.name,
      method: endpoint.method,
      path: endpoint.path,
      pathParams: path.values,
      queryParams: only(inOrder(endpoint, params.values), (name) => !inHeader(name)),
      headers: Object.fromEntries(
        Object.entries(only(params.values, inHeader)).map(([name, value]) => [name, String(value)]),
      ),
      jsonBody: body.body,
      reason: `The question fits ${endpoint.method} ${endpoint.path} best.`,
      failureReason: null,
    },
  }
}

/** As the catalogue lists them, so that equal questions make equal requests. */
function inOrder({ params }: Endpoint, values: Values): Values {
  const names = params.map(({ name }) => name).filter((name) => name in values)
  return Object.fromEntries(names.map((name) => [name, values[name]!]))
}

function only(values: Values, keeps: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => keeps(name)))
}

/** By the noun before it, by the context, or because one value and one placeholder are left. */
function fillPath(
  endpoint: Endpoint,
  reading: Reading,
  resources: ReadonlySet<string>,
): { values: Record<string, string | number | boolean> } | { problem: string } {
  const placeholders = placeholdersOf(endpoint.path)
  const values: Record<string, string | number | boolean> = {}
  for (const [name, at] of bindPlaceholders(reading.words, placeholders)) {
    values[name] = reading.words[at]!.text
    use(reading, at)
  }
  for (const { name } of placeholders) {
    const value = values[name] ?? fromContext(reading, name)
    if (value !== undefined) values[name] = value
  }
  const open = placeholders.filter(({ name }) => values[name] === undefined)
  const loose = reading.words.flatMap((word, at) => (isValueLike(word) && isFree(reading, at) ? [at] : []))
  const isCount = placeholders.some(({ nouns }) => {
    const after = reading.words[(loose[0] ?? -1) + 1]
    return after !== undefined && nouns.some((noun) => meansNoun(after, noun))
  })
  // "Show 7 orders" is a number of orders, and nothing is changed by guessing.
  const isForeign = open.some(({ nouns }) => belongsToOther(reading.words, loose[0] ?? -1, nouns, resources))
  if (open.length === 1 && loose.length === 1 && endpoint.effect === 'read' && !isCount && !isForeign) {
    values[open[0]!.name] = reading.words[loose[0]!]!.text
    use(reading, loose[0]!)
  } else if (open.length > 0) {
    return { problem: `the question does not say which ${open.map(({ name }) => `"${name}"`).join(' and ')} is meant` }
  }
  return { values }
}

/** Words of weight that neither a parameter took nor the endpoint itself is about. To ignore one may be to answer wrongly. */
function unexplained({ words, used }: Reading, endpoint: Endpoint, api: Api): string[] {
  const { path, summary, operationId, description, tags, params } = endpoint
  const fields = Object.keys((endpoint.body()?.schema['properties'] as object | undefined) ?? {})
  const names = [...params.map(({ name }) => name), ...fields, ...tags, api.catalogue.name]
  const about = [path, summary, operationId, description, ...names]
  const known = new Set(tokensOf(about.join(' ')))
  return words.flatMap((word, at) => {
    if (used.has(at)) return []
    if (isValueLike(word)) return [word.text]
    if (isStopWord(word.lower) || SMALL_WORDS.has(word.lower) || isVerb(word.lower)) return []
    const parts = tokensOf(word.text)
    const isKnown = parts.every((part) => known.has(part) || [...known].some((token) => isShortFormOf(token, part)))
    return isKnown || known.has(stem(word.lower)) ? [] : [word.text]
  })
}

/** An endpoint of its own for averages, say. */
function isAbout({ path, summary }: Endpoint, words: string): boolean {
  const own = tokensOf(`${path} ${summary}`)
  return tokensOf(words).every((token) => own.includes(token))
}

function isShortFormOf(token: string, word: string): boolean {
  return token.length >= 3 && word.length >= 6 && word.startsWith(token)
}
