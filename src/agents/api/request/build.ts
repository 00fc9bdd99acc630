import { TuttiError } from '../../../core/errors.ts'
import type { Api } from '../api.ts'
import type { Endpoint } from '../catalogue/types.ts'
import type { BaseUrl } from './base-url.ts'
import type { CallPlan } from './call-plan.ts'
import { isSecretName, MASK } from '../../../core/secrets.ts'
import { encodeBody } from './body.ts'
import { renderPath, renderQuery } from './path.ts'

/** A call as a person is shown it for approval, and as it stands in the log: exact, with secrets masked. */
export interface ApiCall {
  readonly api: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** As it is sent. */
  readonly body?: string
  /** Which sign-in is added when it is sent. */
  readonly signIn: string
}

export interface BuildParts {
  readonly api: Api
  readonly endpoint: Endpoint | undefined
  readonly base: BaseUrl
  readonly signIn: string
  /** From context `api_headers`. */
  readonly contextHeaders: Readonly<Record<string, string>>
}

/**
 * Makes the exact call of a plan: `Accept`, the context's headers, the plan's (SPEC P6). The sign-in is only named.
 * @throws TuttiError `PathResolutionError`
 */
export function buildCall(plan: CallPlan, parts: BuildParts): ApiCall {
  const { api, endpoint, base, signIn, contextHeaders } = parts
  const { path, query } = splitQuery(plan)
  const exploded = (name: string): boolean => endpoint?.params.find((param) => param.name === name)?.explode ?? true
  const prefix = base.url.pathname.replace(/\/+$/, '')
  const search = renderQuery(query, exploded)
  const rendered = renderPath(path, plan.pathParams)
  const url = new URL(`${base.url.origin}${prefix}${rendered}${search === '' ? '' : `?${search}`}`)
  if (url.origin !== base.url.origin || !url.pathname.startsWith(prefix)) {
    throw new TuttiError('PathResolutionError', `"${path.slice(0, 200)}" leads away from ${base.url.origin}${prefix}.`)
  }
  const method = plan.method.toUpperCase()
  const takesBody = plan.jsonBody !== null && method !== 'GET' && method !== 'HEAD'
  const sent = takesBody ? encodeBody(plan.jsonBody, endpoint?.body()?.mediaType ?? 'application/json') : undefined
  const planned = Object.entries(plan.headers).filter(([name]) => !isSecretName(name))
  return {
    api: api.catalogue.name,
    method,
    url: url.href,
    headers: {
      Accept: 'application/json, */*;q=0.5',
      ...Object.fromEntries(
        Object.entries(contextHeaders).map(([name, value]) => [name, isSecretName(name) ? MASK : value]),
      ),
      ...Object.fromEntries(planned),
      ...(sent === undefined ? {} : { 'Content-Type': sent.mediaType }),
    },
    ...(sent === undefined ? {} : { body: sent.body }),
    signIn,
  }
}

/** Models like to write the query into the path. */
function splitQuery({ path, queryParams }: CallPlan): { path: string; query: CallPlan['queryParams'] } {
  const at = path.indexOf('?')
  if (at < 0) return { path, query: queryParams }
  return {
    path: path.slice(0, at),
    query: { ...Object.fromEntries(new URLSearchParams(path.slice(at + 1))), ...queryParams },
  }
}
