import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined } from '../../shared/json.ts'
import { isSecretName } from '../../shared/secret-names.ts'
import { MASK } from '../../domain/secrets.ts'
import type { HttpClient } from '../../http/client.ts'
import type { Api, ApiSettings } from './open.ts'
import type { Endpoint } from './catalogue/types.ts'
import type { CallPlace } from './outgoing-values.ts'
import { resolveBaseUrl, type BaseUrl } from './request/base-url.ts'
import { buildCall, type ApiCall } from './request/build.ts'
import { shouldForceAttempt, type CallPlan } from './request/call-plan.ts'
import { effectOfCall } from './request/effect.ts'
import { headersOf, chooseSignIn, NO_SIGN_IN, type SignIn } from './sign-in/sign-in.ts'
import { matchEndpoint, noEndpoint } from './request/match-endpoint.ts'
import type { Firebase } from './sign-in/firebase.ts'

/** The dependencies of the agent. */
export interface ApiAgentParts {
  readonly apis: readonly Api[]
  readonly http: HttpClient
  readonly settings: ApiSettings
  readonly firebase: Firebase
  /** Whether a server is of the operator's own network. */
  readonly isInternal: (url: URL) => boolean
}

/** A call as a user sees it. */
export type ApprovedCall = Pick<ApiCall, 'api' | 'method' | 'url' | 'headers'> & { readonly body?: string | undefined }

/** Makes exact calls from plans. One per job. */
export interface CallMaker {
  /**
   * @throws TuttiError `PlanningDeclined` for a plan without a request, `PathResolutionError` for missing path
   * parameters and paths that lead elsewhere, `ToolError` for an operation that is not in the catalogue,
   * `ConfigurationError` without a base URL
   */
  ofPlan(plan: CallPlan): ApiCall
  /** Makes a call from its approved form, which a user may have edited; the same rules apply. @throws as `ofPlan` */
  ofShown(shown: ApprovedCall): ApiCall
  effectOf(call: ApiCall): Endpoint['effect']
  /** The destination of a call; undefined for one that is not in the catalogue. */
  placeOf(call: ApiCall): CallPlace | undefined
  signInOf(call: ApiCall): SignIn
  /** Values of masked headers, by name. */
  readonly secretHeaders: Readonly<Record<string, string>>
}

export function createCallMaker(
  { apis, settings, firebase, isInternal }: ApiAgentParts,
  context: Readonly<Record<string, unknown>>,
): CallMaker {
  const contextHeaders = headersOf(context)
  const secretHeaders = Object.fromEntries(Object.entries(contextHeaders).filter(([name]) => isSecretName(name)))
  const baseOf = (api: Api, endpoint: Endpoint | undefined): BaseUrl =>
    resolveBaseUrl(api, endpoint, api === apis[0], { context, baseUrl: settings.baseUrl })
  const knownBase = (api: Api, endpoint: Endpoint | undefined): BaseUrl | undefined => {
    try {
      return baseOf(api, endpoint)
    } catch {
      return undefined // no call of it was ever made
    }
  }
  const signInFor = (api: Api, endpoint: Endpoint | undefined, { isOperators }: BaseUrl): SignIn =>
    chooseSignIn({ api, endpoint, isOperatorsServer: isOperators, context, account: settings.firebase, firebase })

  /** The API, base and endpoint of a call, read from its address. */
  function located({ api: name, method, url }: Pick<ApiCall, 'api' | 'method' | 'url'>) {
    const api = apis.find(({ catalogue }) => catalogue.name === name)
    if (api === undefined) return undefined
    const { origin, pathname } = new URL(url)
    const servers = new Set([undefined, ...api.catalogue.endpoints.map(({ server }) => server)])
    for (const server of servers) {
      const sample = api.catalogue.endpoints.find((endpoint) => endpoint.server === server)
      const base = knownBase(api, sample)
      if (base === undefined) continue
      const prefix = base.url.pathname.replace(/\/+$/, '')
      if (origin !== base.url.origin || !pathname.startsWith(`${prefix}/`)) continue
      const path = pathname.slice(prefix.length)
      const endpoint = matchEndpoint(api.catalogue, method, path)?.endpoint
      if (endpoint === undefined || endpoint.server === server) return { api, base, endpoint, path }
    }
    return undefined
  }

  function ofPlan(plan: CallPlan): ApiCall {
    if (!plan.makeRequest && !shouldForceAttempt(plan)) {
      const reason = plan.failureReason || plan.reason || 'No endpoint can answer this question.'
      throw new TuttiError('PlanningDeclined', reason)
    }
    const { api, endpoint, pathParams } = plannedPlace(apis, plan)
    const base = baseOf(api, endpoint)
    // The path itself is always the catalogue's; a query that was written into it stays.
    const concrete = { ...plan, path: endpoint.path + queryIn(plan.path), pathParams }
    const signIn = signInFor(api, endpoint, base).label
    return buildCall(concrete, { api, endpoint, base, signIn, contextHeaders })
  }

  return {
    ofPlan,
    ofShown(shown) {
      const { api, method, url, headers, body } = shown
      const place = URL.canParse(url) ? located(shown) : undefined
      if (place === undefined) {
        throw new TuttiError('PathResolutionError', `"${url.slice(0, 200)}" is no address of the API "${api}".`)
      }
      const { searchParams } = new URL(url)
      const names = [...new Set(searchParams.keys())]
      const call = ofPlan({
        ...NO_PARAMS,
        api,
        method,
        path: place.path,
        queryParams: Object.fromEntries(names.map((name) => [name, oneOrAll(searchParams.getAll(name))])),
        jsonBody: body === undefined ? null : {},
        headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== MASK)),
      })
      return call.body === undefined ? call : { ...call, ...omitUndefined({ body }) }
    },
    effectOf: (call) => effectOfCall(call, located(call)?.endpoint, contextHeaders),
    placeOf(call) {
      const { api, base, endpoint } = located(call) ?? {}
      if (api === undefined || base === undefined || endpoint === undefined) return undefined
      return { api, endpoint, base, contextHeaders, isInternal: isInternal(base.url) }
    },
    signInOf(call) {
      const place = located(call)
      const signIn = place === undefined ? NO_SIGN_IN : signInFor(place.api, place.endpoint, place.base)
      return signIn.label === call.signIn ? signIn : NO_SIGN_IN
    },
    secretHeaders,
  }
}

const NO_PARAMS = {
  makeRequest: true,
  pathParams: {},
  queryParams: {},
  jsonBody: null,
  headers: {},
  reason: '',
  failureReason: null,
} satisfies Partial<CallPlan>

function oneOrAll(values: readonly string[]): string | string[] {
  return values.length === 1 ? values[0]! : [...values]
}

interface PlannedPlace {
  readonly api: Api
  readonly endpoint: Endpoint
  /** By the names of the endpoint. */
  readonly pathParams: CallPlan['pathParams']
}

function plannedPlace(apis: readonly Api[], { api: name, method, path, pathParams }: CallPlan): PlannedPlace {
  const bare = path.split('?', 1)[0]!
  const named = apis.filter(({ catalogue }) => catalogue.name.toLowerCase() === name.trim().toLowerCase())
  const candidates = named.length > 0 ? named : apis
  for (const api of candidates) {
    const match = matchEndpoint(api.catalogue, method, bare, pathParams)
    if (match !== undefined) return { api, endpoint: match.endpoint, pathParams: match.pathParams }
  }
  throw noEndpoint(
    candidates.map(({ catalogue }) => catalogue),
    method,
    bare,
  )
}

function queryIn(path: string): string {
  const at = path.indexOf('?')
  return at < 0 ? '' : path.slice(at)
}
