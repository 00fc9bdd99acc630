import { decoded } from '../../../core/outside.ts'
import type { CallPlan } from './call-plan.ts'
import type { Catalogue, Endpoint } from '../catalogue/types.ts'

export interface MatchedEndpoint {
  readonly endpoint: Endpoint
  /** Values of the placeholders, by the catalogue's names; a plan may call them otherwise. */
  readonly pathParams: CallPlan['pathParams']
}

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
  return matches.sort((a, b) => Object.keys(a.pathParams).length - Object.keys(b.pathParams).length)[0]
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
    const name = /^\{([^{}]+)\}$/.exec(part)?.[1]
    const value = parts![i]!
    if (name === undefined ? part !== value : value === '') return undefined
    if (name === undefined) continue
    const placeholder = /^(?:\{([^{}]+)\}|:([A-Za-z_]\w*))$/.exec(value)
    values[name] =
      placeholder === null ? decoded(value) : (given[placeholder[1] ?? placeholder[2]!] ?? given[name] ?? null)
  }
  return values
}
