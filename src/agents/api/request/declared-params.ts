import type { Endpoint, Param } from '../catalogue/types.ts'
import type { CallPlan } from './call-plan.ts'
import { isSecretName } from '../../../shared/secret-names.ts'
import { styledText } from './styles.ts'

/** Follow from the operation's media types; OpenAPI ignores parameters of these names. */
const SETTLED = ['accept', 'content-type']

/** Names in a plan that the operation does not declare, and that are therefore not sent. */
export interface UndeclaredNames {
  readonly queryParams: readonly string[]
  readonly headers: readonly string[]
  readonly body: boolean
}

/** A plan reduced to the parts that its operation declares. */
export interface Declared {
  readonly plan: CallPlan & { readonly headers: Readonly<Record<string, string>> }
  readonly leftOut: UndeclaredNames
}

/**
 * Drops parameters of a plan that the operation does not declare, since unknown names may mean anything to a server,
 * such as a method override. For operations outside the catalogue the query is kept, because a user approves the exact
 * call. Parameters are put in the catalogue's order, so that their order carries no information.
 * @param contextHeaders headers from the caller of the request; a plan cannot override them
 */
export function dropUndeclared(
  plan: CallPlan,
  endpoint: Endpoint | undefined,
  contextHeaders: Readonly<Record<string, string>> = {},
): Declared {
  const params = endpoint?.params ?? []
  const placeOf = (name: string): number => params.findIndex((param) => isQueryParam(param, name))
  const queryParams = Object.entries(plan.queryParams)
    .filter(([name]) => endpoint === undefined || placeOf(name) >= 0)
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b))
  const settled = new Set([...SETTLED, ...Object.keys(contextHeaders)].map((name) => name.toLowerCase()))
  const headers = params.flatMap((param): [string, string][] => {
    // As OpenAPI spells it; names of headers do not tell case apart.
    const isMeant = ([name]: readonly [string, unknown]): boolean => name.toLowerCase() === param.name.toLowerCase()
    const entry = param.in === 'header' ? Object.entries(plan.headers).find(isMeant) : undefined
    const isOthers = isSecretName(param.name) || settled.has(param.name.toLowerCase())
    return entry === undefined || isOthers ? [] : [[param.name, styledText(entry[1], param)]]
  })
  const jsonBody = /^(GET|HEAD)$/i.test(plan.method) ? null : plan.jsonBody
  return {
    plan: {
      ...plan,
      queryParams: Object.fromEntries(queryParams),
      headers: Object.fromEntries(headers),
      jsonBody,
    },
    leftOut: {
      queryParams: missing(plan.queryParams, queryParams),
      headers: missing(plan.headers, headers),
      body: jsonBody === null && plan.jsonBody !== null,
    },
  }
}

/** The parameter itself, or a field of one that is an object: `filter[status]` (OpenAPI style `deepObject`). */
function isQueryParam({ in: place, name, type }: Param, given: string): boolean {
  if (place !== 'query') return false
  return given === name || (type.type === 'object' && given.startsWith(`${name}[`) && given.endsWith(']'))
}

function missing(planned: object, kept: readonly (readonly [string, unknown])[]): string[] {
  const names = new Set(kept.map(([name]) => name.toLowerCase()))
  return Object.keys(planned).filter((name) => !names.has(name.toLowerCase()))
}
