import { TuttiError } from '../../domain/errors.ts'
import type { HttpCall, HttpInput, HttpReply } from '../../domain/tool.ts'
import { isSecretName } from '../../shared/secret-names.ts'
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
  const { method = 'GET', url, params = {}, headers = {}, body } = call
  const entries = Object.entries(headers)
  const shown = Object.fromEntries(entries.filter(([name]) => !isSecretName(name)))
  const secret = Object.fromEntries(entries.filter(([name]) => isSecretName(name)))
  const fills = Object.entries(params)
  const shownFills = Object.fromEntries(fills.filter(([name]) => !isSecretName(name)))
  const secretFills = Object.fromEntries(fills.filter(([name]) => isSecretName(name)))
  return {
    method: method.toUpperCase(),
    url: filled(url, params),
    ...(addresses.includes(url) ? { address: url, among: addresses.length, params: shownFills } : {}),
    ...(Object.keys(secretFills).length === 0 ? {} : { secretParams: secretFills }),
    ...(Object.keys(shown).length === 0 ? {} : { headers: shown }),
    ...(Object.keys(secret).length === 0 ? {} : { secretHeaders: secret }),
    ...(body === undefined ? {} : { body }),
  }
}

/** @throws TuttiError `ToolError` for a place that nothing fills, and for a value that has no place */
function filled(url: string, params: NonNullable<HttpCall['params']>): string {
  const places = new Set([...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))
  const missing = [...places].find((name) => !Object.hasOwn(params, name))
  if (missing !== undefined) {
    throw new TuttiError(
      'ToolError',
      `The address ${url} has the place {${missing}}, and "params" has no value for it.`,
    )
  }
  const stray = Object.keys(params).find((name) => !places.has(name))
  if (stray !== undefined) {
    throw new TuttiError('ToolError', `"params" has "${stray}", and the address ${url} has no place {${stray}}.`)
  }
  const path = /^[^?#]*/.exec(url)![0].length
  return url.replaceAll(/\{(\w+)\}/g, (_, name: string, at: number) => {
    const value = String(params[name])
    // Percent-encoding does not change dots, and servers resolve them as relative path segments.
    if (at < path && /^\.{0,2}$/.test(value)) {
      throw new TuttiError('ToolError', `"${value}" cannot fill the place {${name}} in the path of the address ${url}.`)
    }
    return encodeURIComponent(value)
  })
}
