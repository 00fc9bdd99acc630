import { wordSet } from '../../shared/word-set.ts'
import { decodePercent, tryParseExactJson } from '../../shared/json.ts'
import type { Leaving } from '../../domain/tool.ts'
import { listedValues, openParts } from '../schema-parts.ts'
import type { Api } from './open.ts'
import type { Endpoint, ParamType } from './catalogue/types.ts'
import type { BaseUrl } from './request/base-url.ts'
import type { ApiCall } from './request/build.ts'
import { delimiterOf } from './request/styles.ts'
import { isLimitParam } from './response/pages.ts'

/** The destination of a prepared call. */
export interface CallPlace {
  readonly api: Api
  readonly endpoint: Endpoint
  readonly base: BaseUrl
  /** From the request's context: the caller's own. */
  readonly contextHeaders: Readonly<Record<string, string>>
  /** The server is one of the operator's own network. */
  readonly isInternal: boolean
}

/** Common page sizes; choosing one of them carries almost no information. */
const USUAL_LIMITS: ReadonlySet<string> = wordSet('1 2 3 5 10 20 25 50 100 200 250 500 1000')

/** The variable parts of a call. */
interface CallParts {
  /** Texts, numbers and names that the catalogue does not know. */
  readonly parts: unknown[]
  readonly listed: number[]
  readonly fields: number[]
}

/**
 * The data of a reading call that the operator's catalogue leaves open: unlisted values of parameters, undeclared
 * names, and the choice of declared ones. Taken from the call as it is sent, not from its plan. Undefined if no data
 * leaves that the destination does not know: for a trusted or internal service.
 */
export function outgoingValues(call: ApiCall, place: CallPlace): Leaving | undefined {
  const { api, base, isInternal } = place
  if (isInternal || (api.trusted === true && base.isOperators)) return undefined
  const collected: CallParts = { parts: base.isOperators ? [] : [base.url.href], listed: [], fields: [] }
  addPath(collected, call, place)
  addQuery(collected, call, place)
  addHeaders(collected, call, place)
  addBody(collected, call, place)
  const { host } = base.url
  return { to: `the API "${api.catalogue.name}" at ${host}`, destination: host, ...collected }
}

const PLACEHOLDER = /\{([^{}]+)\}/

function addPath(collected: CallParts, { url }: ApiCall, { endpoint, base }: CallPlace): void {
  const path = new URL(url).pathname.slice(base.url.pathname.replace(/\/+$/, '').length)
  const [first, ...others] = endpoint.path.split(PLACEHOLDER)
  const names = others.filter((_, i) => i % 2 === 0)
  const literals = [first!, ...others.filter((_, i) => i % 2 === 1)].map((text) =>
    text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  )
  const values = new RegExp(`^${literals.join('([^/]*)')}$`).exec(path)?.slice(1)
  if (values === undefined) return void collected.parts.push(decodePercent(path))
  for (const [i, value] of values.entries()) {
    const param = endpoint.params.find((candidate) => candidate.in === 'path' && candidate.name === names[i])
    addText(collected, decodePercent(value), param?.type ?? {})
  }
}

function addQuery(collected: CallParts, { url }: ApiCall, { endpoint }: CallPlace): void {
  const { searchParams } = new URL(url)
  const params = endpoint.params.filter((param) => param.in === 'query')
  for (const name of new Set(searchParams.keys())) {
    const texts = searchParams.getAll(name)
    const param = params.find((candidate) => candidate.name === name)
    if (param === undefined) {
      collected.parts.push(...texts.flatMap((text) => [name, text]))
      continue
    }
    if (!param.required) collected.fields.push(params.length)
    const isList = param.type.type === 'array' || param.type.items !== undefined
    if (isList) {
      const values = param.explode ? texts : texts.flatMap((text) => text.split(delimiterOf(param.style)))
      for (const value of values) addText(collected, value, param.type.items ?? {})
    } else if (texts.length > 1) collected.parts.push(...texts)
    else if (isLimitParam(param) && USUAL_LIMITS.has(texts[0]!)) collected.listed.push(USUAL_LIMITS.size)
    else addText(collected, texts[0]!, param.type)
  }
}

function addHeaders(collected: CallParts, { headers }: ApiCall, { endpoint, contextHeaders }: CallPlace): void {
  const params = endpoint.params.filter((param) => param.in === 'header')
  for (const [name, text] of Object.entries(headers)) {
    // A plan can set neither these nor the context's.
    if (['accept', 'content-type'].includes(name.toLowerCase()) || Object.hasOwn(contextHeaders, name)) continue
    const param = params.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase())
    if (param === undefined) collected.parts.push(name, text)
    else {
      if (!param.required) collected.fields.push(params.length)
      addText(collected, text, param.type)
    }
  }
}

function addBody(collected: CallParts, { body }: ApiCall, { endpoint }: CallPlace): void {
  if (body === undefined) return
  const json = tryParseExactJson(body)
  if (json === undefined) return void collected.parts.push(...[...new URLSearchParams(body)].flat())
  const { parts, listed, fields } = openParts(endpoint.body()?.schema, json)
  collected.parts.push(...parts)
  collected.listed.push(...listed)
  collected.fields.push(...fields)
}

function addText(collected: CallParts, text: string, type: ParamType): void {
  const among = listedValues(type, text)
  if (among === undefined) collected.parts.push(text)
  else collected.listed.push(among)
}
