import type { Catalogue, Endpoint } from '../catalogue/types.ts'

export interface MatchedEndpoint {
  readonly endpoint: Endpoint
  /** Values that stood in the path itself in place of placeholders. */
  readonly pathParams: Readonly<Record<string, string>>
}

/**
 * The endpoint that a method and path mean: written as in the catalogue, with `:id` for `{id}`, or with the values
 * already put in. Undefined when the catalogue has none.
 */
export function matchEndpoint(catalogue: Catalogue, method: string, path: string): MatchedEndpoint | undefined {
  const candidates = catalogue.endpoints.filter((endpoint) => endpoint.method === method.toUpperCase())
  const shape = shapeOf(path)
  const exact = candidates.find((endpoint) => shapeOf(endpoint.path) === shape)
  if (exact !== undefined) return { endpoint: exact, pathParams: {} }
  const matches = candidates.flatMap((endpoint) => {
    const found = valuesOf(endpoint.path, path)
    return found === undefined ? [] : [{ endpoint, pathParams: found }]
  })
  return matches.sort((a, b) => Object.keys(a.pathParams).length - Object.keys(b.pathParams).length)[0]
}

/** Paths that differ only in the names of their placeholders and a final slash are the same. */
function shapeOf(path: string): string {
  return path.replace(/\{[^{}]*\}|(?<=\/):[A-Za-z_]\w*/g, '{}').replace(/(?<=.)\/$/, '')
}

function valuesOf(template: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [template, path].map((text) => text.replace(/(?<=.)\/$/, '').split('/'))
  if (wanted!.length !== given!.length) return undefined
  const values: Record<string, string> = {}
  for (const [i, part] of wanted!.entries()) {
    const name = /^\{([^{}]+)\}$/.exec(part)?.[1]
    const value = given![i]!
    if (name === undefined ? part !== value : value === '') return undefined
    if (name !== undefined) values[name] = decoded(value)
  }
  return values
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
