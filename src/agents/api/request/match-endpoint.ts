import { TuttiError } from '../../../domain/errors.ts'
import { decodePercent } from '../../../shared/json.ts'
import type { CallPlan } from './call-plan.ts'
import type { Catalogue, Endpoint } from '../catalogue/types.ts'

export interface MatchedEndpoint {
  readonly endpoint: Endpoint
  /** Values of the placeholders, by the catalogue's names; a plan may call them otherwise. */
  readonly pathParams: CallPlan['pathParams']
}

const MAX_NEAR = 8
const PLACEHOLDER = /\{([^{}]*)\}|(?<=\/):([A-Za-z_]\w*)/g

/**
 * The endpoint that a method and path mean: written as in the catalogue, with `:id` for `{id}`, or with the values
 * already put in. Undefined when the catalogue has none.
 * @param given values of the path's own placeholders
 */
export function matchEndpoint(
  catalogue: Catalogue,
  method: string,
  path: string,
  given: CallPlan['pathParams'] = {},
): MatchedEndpoint | undefined {
  const candidates = catalogue.endpoints.filter((endpoint) => endpoint.method === method.toUpperCase())
  const shape = shapeOf(path)
  const exact = candidates.find((endpoint) => shapeOf(endpoint.path) === shape)
  if (exact !== undefined) return { endpoint: exact, pathParams: renamed(exact.path, path, given) }
  const matches = candidates.flatMap((endpoint) => {
    const found = valuesOf(endpoint.path, path, given)
    return found === undefined ? [] : [{ endpoint, pathParams: found }]
  })
  const count = ({ pathParams }: MatchedEndpoint): number => Object.keys(pathParams).length
  const fixed = ({ endpoint }: MatchedEndpoint): number => endpoint.path.replace(PLACEHOLDER, '').length
  return matches.sort((a, b) => count(a) - count(b) || fixed(b) - fixed(a))[0]
}

/** For the model, with the endpoints that share most of the path. */
export function noEndpoint(catalogues: readonly Catalogue[], method: string, path: string): TuttiError {
  const parts = new Set(path.split('/'))
  const ranked = catalogues
    .flatMap(({ endpoints }) => endpoints)
    .map((endpoint) => ({ endpoint, shared: endpoint.path.split('/').filter((part) => parts.has(part)).length }))
    .toSorted((a, b) => b.shared - a.shared)
  const near = ranked.slice(0, MAX_NEAR).map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  return new TuttiError('ToolError', `There is no endpoint ${method} ${path}. The nearest are: ${near.join(', ')}.`)
}

/** Paths that differ only in the names of their placeholders and a final slash are the same. */
function shapeOf(path: string): string {
  return path.replace(PLACEHOLDER, '{}').replace(/(?<=.)\/$/, '')
}

/** By position. */
function renamed(template: string, path: string, given: CallPlan['pathParams']): CallPlan['pathParams'] {
  const names = placeholdersOf(path)
  return Object.fromEntries(placeholdersOf(template).map((name, i) => [name, given[names[i]!] ?? given[name] ?? null]))
}

function placeholdersOf(path: string): string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, braced, colon]) => braced ?? colon!)
}

function valuesOf(template: string, path: string, given: CallPlan['pathParams']): CallPlan['pathParams'] | undefined {
  const [wanted, parts] = [template, path].map((text) => text.replace(/(?<=.)\/$/, '').split('/'))
  if (wanted!.length !== parts!.length) return undefined
  const values: CallPlan['pathParams'] = {}
  for (const [i, part] of wanted!.entries()) {
    const value = parts![i]!
    const name = /^\{([^{}]+)\}$/.exec(part)?.[1]
    if (name === undefined ? part !== value : value === '') return undefined
    if (name === undefined) continue
    const placeholder = /^(?:\{([^{}]+)\}|:([A-Za-z_]\w*))$/.exec(value)
    values[name] =
      placeholder === null ? decodePercent(value) : (given[placeholder[1] ?? placeholder[2]!] ?? given[name] ?? null)
  }
  return values
}
