import type { Endpoint, Param } from '../catalogue/types.ts'
import type { CallPlan } from './call-plan.ts'
import { isSecretName } from '../../../shared/secret-names.ts'
import { styledText } from './styles.ts'

/** Follow from the operation's media types; OpenAPI ignores parameters of these names. */
const MEDIA_TYPE_HEADERS = ['accept', 'content-type']

/** The parts of a plan that its operation declares. */
export interface Declared {
  readonly queryParams: CallPlan['queryParams']
  readonly headers: Readonly<Record<string, string>>
  /** Names of query parameters that the operation does not declare. */
  readonly leftOut: readonly string[]
}

/**
 * Drops parameters of a plan that the operation does not declare, since unknown names may mean anything to a server,
 * such as a method override. Parameters are put in the catalogue's order, so that their order carries no information.
 * @param contextHeaders headers from the caller of the request; a plan cannot override them
 */
export function declaredParams(
  plan: Pick<CallPlan, 'queryParams' | 'headers'>,
  { params }: Endpoint,
  contextHeaders: Readonly<Record<string, string>>,
): Declared {
  const placeOf = (name: string): number => params.findIndex((param) => isQueryParam(param, name))
  const names = Object.keys(plan.queryParams)
  const queryParams = Object.entries(plan.queryParams)
    .filter(([name]) => placeOf(name) >= 0)
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b))
  const reserved = new Set([...MEDIA_TYPE_HEADERS, ...Object.keys(contextHeaders)].map((name) => name.toLowerCase()))
  const headers = params.flatMap((param): [string, string][] => {
    // As OpenAPI spells it; names of headers do not tell case apart.
    const isMeant = ([name]: readonly [string, unknown]): boolean => name.toLowerCase() === param.name.toLowerCase()
    const entry = param.in === 'header' ? Object.entries(plan.headers).find(isMeant) : undefined
    const isOthers = isSecretName(param.name) || reserved.has(param.name.toLowerCase())
    return entry === undefined || isOthers ? [] : [[param.name, styledText(entry[1], param)]]
  })
  return {
    queryParams: Object.fromEntries(queryParams),
    headers: Object.fromEntries(headers),
    leftOut: names.filter((name) => placeOf(name) < 0),
  }
}

/** The parameter itself, or a field of one that is an object: `filter[status]` (OpenAPI style `deepObject`). */
function isQueryParam({ in: place, name, type }: Param, given: string): boolean {
  if (place !== 'query') return false
  return given === name || (type.type === 'object' && given.startsWith(`${name}[`) && given.endsWith(']'))
}
