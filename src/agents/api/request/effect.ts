import { tryParseJson } from '../../../shared/json.ts'
import type { Endpoint } from '../catalogue/types.ts'
import type { ApiCall } from './build.ts'

/** Headers and parameters by which servers treat a request as one with another method. */
const METHOD_OVERRIDE = /^(x[-_])?(http[-_]?)?(original[-_]?)?(method([-_]?override)?|verb[-_]?override)$/i

/** Headers that make proxies and servers treat a request as one to another place, or from another client. */
const PLACE_OVERRIDE =
  /^(forwarded|via|host|:authority|true-client-ip|cf-connecting-ip|x-(forwarded([-_].+)?|original[-_].+|rewrite[-_].+|override[-_].+|real[-_]ip|client[-_]ip|host|http[-_]host[-_]override|proxy[-_].+))$/i

/**
 * The effect of a call, judged by the request that is sent. A catalogued read becomes irreversible if it has a
 * parameter that servers take for a method override, declared or not, or a path value that could lead to another
 * operation.
 * @param contextHeaders headers from the caller of the request, who may set forwarding headers
 */
export function effectOfCall(
  call: ApiCall,
  endpoint: Endpoint | undefined,
  contextHeaders: Readonly<Record<string, string>>,
): Endpoint['effect'] {
  if (endpoint?.effect !== 'read') return 'irreversible'
  return isSomethingElse(call, contextHeaders) ? 'irreversible' : 'read'
}

function isSomethingElse({ url, headers, body }: ApiCall, contextHeaders: Readonly<Record<string, string>>): boolean {
  const { pathname, searchParams } = new URL(url)
  // Many a proxy turns an encoded slash into one, however often it is encoded.
  if (/%(25)*(2f|5c)/i.test(pathname)) return true
  const names = Object.keys(headers)
  if (
    names.some((name) => isMethodOverride(name) || (PLACE_OVERRIDE.test(name) && !Object.hasOwn(contextHeaders, name)))
  )
    return true
  return [...searchParams.keys(), ...fieldsOf(body)].some(isHiddenMethod)
}

/** In queries and bodies, `method` alone is a word like others (a payment's); with an underscore before it, it is not. */
export function isHiddenMethod(name: string): boolean {
  return !/^(http[-_]?)?method$/i.test(name) && isMethodOverride(name)
}

function isMethodOverride(name: string): boolean {
  return METHOD_OVERRIDE.test(name.replace(/^[_$]+/, ''))
}

/** The names at the top of a body, be it JSON or a form. */
function fieldsOf(body: string | undefined): string[] {
  if (body === undefined) return []
  const value = tryParseJson(body)
  if (value === undefined) return [...new URLSearchParams(body).keys()]
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}
