import type { ActorContext } from '../../core/actor.ts'
import type { Api, ApiSettings } from './api.ts'
import type { Endpoint } from './catalogue/types.ts'
import { resolveBaseUrl } from './request/base-url.ts'
import { buildCall, type ApiCall } from './request/build.ts'
import { isAnyLeftOut } from './request/declared.ts'
import { effectOfCall } from './request/effect.ts'
import type { CallPlan } from './request/call-plan.ts'
import { matchEndpoint } from './request/match.ts'
import { isSecretName } from '../../core/secret-names.ts'
import { headersOf } from './request/headers.ts'
import { isPagingParam, leadsAway, MAX_PAGES, MAX_RECORDS, nextPage } from './response/pages.ts'
import { recordsOf } from '../records.ts'
import type { Reply } from './response/reply.ts'
import type { Firebase } from './sign-in/firebase.ts'
import { chooseSignIn, type SignIn } from './sign-in/sign-in.ts'
import type { CallPlace } from './leaving.ts'
import { createHttpTools, placeKey } from './tools.ts'
import type { HttpClient } from '../../http/client.ts'
import { dateValue } from './rules/dates.ts'

/** What the agent was put together with. */
export interface ApiAgentParts {
  readonly apis: readonly Api[]
  readonly http: HttpClient
  readonly settings: ApiSettings
  readonly firebase: Firebase
  /** Whether a server is of the operator's own network. */
  readonly isInternal: (url: URL) => boolean
}

/** A plan made concrete: which API and endpoint, and the exact call. */
export interface Prepared {
  readonly api: Api
  readonly endpoint: Endpoint | undefined
  readonly call: ApiCall
  readonly plan: CallPlan
  /** Query parameters of the plan that the operation does not have, so that they were not sent. */
  readonly notSent: readonly string[]
}

/** All pages of one answer. `records` is set when it is a list. */
export interface Gathered {
  readonly prepared: Prepared
  readonly first: Reply
  readonly records: readonly Readonly<Record<string, unknown>>[] | undefined
  readonly pages: number
  /** There is more than was read. */
  readonly isCut: boolean
}

/** Makes the call of a plan and what follows from its answer. One per task. */
export function createExecution(parts: ApiAgentParts, ctx: ActorContext) {
  const { context } = ctx.request
  const contextHeaders = headersOf(context)
  const signIns = new Map<string, SignIn>()
  const places = new Map<string, CallPlace>()
  const secretHeaders = Object.fromEntries(Object.entries(contextHeaders).filter(([name]) => isSecretName(name)))
  const tools = createHttpTools({
    http: parts.http,
    places,
    signIns,
    contextHeaders: secretHeaders,
    artifacts: ctx.artifacts,
  })

  function prepare(plan: CallPlan, given?: ReadonlySet<string>): Prepared {
    const { api, endpoint, pathParams } = placeOf(parts.apis, plan)
    const base = resolveBaseUrl(api, endpoint, api === parts.apis[0], {
      context,
      baseUrl: parts.settings.baseUrl,
    })
    const signIn = chooseSignIn({
      ...parts,
      account: parts.settings.firebase,
      api,
      endpoint,
      isOperatorsServer: base.isOperators,
      context,
    })
    signIns.set(signIn.label, signIn)
    // The path itself is always the catalogue's; a query that was written into it stays.
    const concrete = endpoint === undefined ? plan : { ...plan, path: endpoint.path + queryIn(plan.path), pathParams }
    const build = {
      api,
      endpoint,
      base,
      signIn: signIn.label,
      contextHeaders,
      ...(given === undefined ? {} : { given }),
    }
    const { call, leftOut } = buildCall(concrete, build)
    if (isAnyLeftOut(leftOut)) {
      ctx.note('DECISION', 'What the operation does not declare was left out of the request', { ...leftOut })
    }
    if (endpoint !== undefined) {
      const isInternal = parts.isInternal(base.url)
      const place = { api, endpoint, base, contextHeaders, isInternal }
      places.set(placeKey(call), place)
    }
    return { api, endpoint, plan, call, notSent: leftOut.queryParams }
  }

  async function perform(prepared: Prepared): Promise<Reply> {
    const { call, endpoint } = prepared
    const reply = await ctx.call(effectOfCall(call, endpoint, contextHeaders) === 'read' ? tools.get : tools.send, call)
    const { method, url, status, bytes, elapsedMs } = reply
    ctx.note('TOOL', 'API request executed', { method, url, status, bytes, latencyMs: elapsedMs })
    return reply
  }

  /** The call of the plan; after a 400, once more with the dates of the context (SPEC P7). */
  async function run(plan: CallPlan): Promise<Gathered> {
    let prepared = prepare(plan)
    let first = await perform(prepared)
    const repaired = first.status === 400 ? withTemporalParams(plan, first, prepared.endpoint, context) : undefined
    if (repaired !== undefined) {
      ctx.note('DECISION', 'Dates of the context were added after a 400', { queryParams: repaired.queryParams })
      prepared = prepare(repaired, newNames(plan.queryParams, repaired.queryParams))
      first = await perform(prepared)
    }
    return gather(prepared, first)
  }

  async function gather(prepared: Prepared, first: Reply): Promise<Gathered> {
    const { call: firstCall, endpoint } = prepared
    const records = first.status < 400 ? [...(recordsOf(first.json) ?? [])] : []
    const isList = first.status < 400 && recordsOf(first.json) !== undefined
    // Whoever asks for a page or a number of records wants just those.
    const asked = [...new URL(firstCall.url).searchParams.keys()]
    const follows = isList && endpoint?.effect === 'read' && !asked.some((name) => isPagingParam({ name }))
    let call = firstCall
    let reply = first
    let pages = 1
    let isCut = first.isCut
    let next = follows ? nextPage(call, reply, endpoint) : undefined
    isCut ||= follows && next === undefined && leadsAway(call, reply)
    while (next !== undefined) {
      if (pages >= MAX_PAGES || records.length >= MAX_RECORDS) {
        isCut = true
        break
      }
      reply = await perform({ ...prepared, call: next })
      const more = reply.status < 400 ? (recordsOf(reply.json) ?? []) : []
      isCut ||= reply.isCut || reply.status >= 400
      if (more.length === 0 || sameStart(more, records)) break
      records.push(...more)
      pages++
      call = next
      next = nextPage(call, reply, endpoint)
      isCut ||= next === undefined && leadsAway(call, reply)
    }
    return { prepared, first, records: isList ? records : undefined, pages, isCut }
  }

  return { run }
}

/** A service that ignores its page parameter answers the same page for ever. */
function sameStart(page: readonly unknown[], records: readonly unknown[]): boolean {
  return JSON.stringify(page[0]) === JSON.stringify(records[0])
}

function newNames(before: object, after: object): ReadonlySet<string> {
  return new Set(Object.keys(after).filter((name) => !(name in before)))
}

interface Place {
  readonly api: Api
  readonly endpoint: Endpoint | undefined
  /** By the names of the endpoint. */
  readonly pathParams: CallPlan['pathParams']
}

function placeOf(apis: readonly Api[], { api: name, method, path, pathParams }: CallPlan): Place {
  const bare = path.split('?', 1)[0]!
  const named = apis.filter(({ catalogue }) => catalogue.name.toLowerCase() === name.trim().toLowerCase())
  for (const api of named.length > 0 ? named : apis) {
    const match = matchEndpoint(api.catalogue, method, bare, pathParams)
    if (match !== undefined) return { api, endpoint: match.endpoint, pathParams: match.pathParams }
  }
  return { api: named[0] ?? apis[0]!, endpoint: undefined, pathParams }
}

function queryIn(path: string): string {
  const at = path.indexOf('?')
  return at < 0 ? '' : path.slice(at)
}

const TEMPORAL = [
  { name: 'startDateTime', key: 'current_date_start_hour', end: 'from' },
  { name: 'endDateTime', key: 'current_date_end_hour', end: 'to' },
] as const

/**
 * The plan with `startDateTime` and `endDateTime` added from the temporal context, after a 400 (SPEC P7); undefined when
 * they were there, or have nothing to do with this endpoint. Written as the catalogue says, else as in the context.
 */
function withTemporalParams(
  plan: CallPlan,
  reply: Reply,
  endpoint: Endpoint | undefined,
  context: Readonly<Record<string, unknown>>,
): CallPlan | undefined {
  const said = `${reply.text ?? ''}${JSON.stringify(reply.json ?? '')}`
  const added: Record<string, string> = {}
  for (const { name, key, end } of TEMPORAL) {
    const param = endpoint?.params.find((candidate) => candidate.in === 'query' && candidate.name === name)
    const fits = endpoint === undefined || param !== undefined || said.includes(name)
    const value = context[key]
    const given = plan.queryParams[name]
    if (!fits || typeof value !== 'string' || (given !== undefined && given !== null && given !== '')) continue
    added[name] = param?.type.format === undefined ? value : dateValue(value.slice(0, 10), end, param.type.format)
  }
  if (Object.keys(added).length === 0) return undefined
  return { ...plan, queryParams: { ...plan.queryParams, ...added } }
}
