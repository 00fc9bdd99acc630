import { TuttiError } from '../../domain/errors.ts'
import type { HttpCall, HttpInput, HttpReply } from '../../domain/tool.ts'
import { isSecretName } from '../../shared/secret-names.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { CallSite } from './call-site.ts'
import { callTool } from './tool-calls.ts'

/** `ctx.http`: calls one of the two network tools, so that all rules for tool calls apply. */
export async function callHttp(site: CallSite, call: HttpCall): Promise<HttpReply> {
  const { host, actor } = site.call
  if (host.http === undefined) {
    throw new TuttiError('ConfigurationError', 'There is no network here: give the engine one with the option "http".')
  }
  const input = inputOf(call, actor.addresses)
  const isRead = input.method === 'GET' || input.method === 'HEAD'
  return callTool(site, isRead ? host.http.read : host.http.change, input)
}

function inputOf(call: HttpCall, addresses: readonly string[] = []): HttpInput {
  const { method = 'GET', url, params = {}, headers, body } = call
  const [openHeaders, secretHeaders] = partition(headers)
  const [openParams, secretParams] = partition(params)
  return {
    method: method.toUpperCase(),
    url: filled(url, params),
    ...(addresses.includes(url) ? { address: url, among: addresses.length, params: openParams ?? {} } : {}),
    ...omitUndefined({ secretParams, headers: openHeaders, secretHeaders, body }),
  }
}

type Fields<V> = Readonly<Record<string, V>>

/** The fields without and with secret names, each undefined if there are none. */
function partition<V>(fields: Fields<V> = {}): (Fields<V> | undefined)[] {
  const entries = Object.entries(fields)
  const parts = [entries.filter(([name]) => !isSecretName(name)), entries.filter(([name]) => isSecretName(name))]
  return parts.map((part) => (part.length === 0 ? undefined : Object.fromEntries(part)))
}

/** @throws TuttiError `ToolError` for a placeholder without a value, and for a value without a placeholder */
function filled(url: string, params: NonNullable<HttpCall['params']>): string {
  const placeholders = new Set([...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))
  const missing = [...placeholders].find((name) => !Object.hasOwn(params, name))
  if (missing !== undefined) {
    throw new TuttiError('ToolError', `"params" has no value for the placeholder {${missing}} of the address ${url}.`)
  }
  const stray = Object.keys(params).find((name) => !placeholders.has(name))
  if (stray !== undefined) {
    throw new TuttiError('ToolError', `"params" has "${stray}", but the address ${url} has no placeholder {${stray}}.`)
  }
  const path = /^[^?#]*/.exec(url)![0].length
  return url.replaceAll(/\{(\w+)\}/g, (_, name: string, at: number) => {
    const value = String(params[name])
    // Percent-encoding does not change dots, and servers resolve them as relative path segments.
    if (at < path && /^\.{0,2}$/.test(value)) {
      throw new TuttiError(
        'ToolError',
        `"${value}" cannot fill the placeholder {${name}} in the path of the address ${url}.`,
      )
    }
    return encodeURIComponent(value)
  })
}
