import { Problem } from './problem.ts'
import type { Route } from './route.ts'

export interface Match {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

/**
 * The operation that a request means.
 * @param path as in the request, still encoded
 * @throws Problem 404, 405 with the methods that are allowed, 400 for a path that is wrongly encoded
 */
export function matchRoute(routes: readonly Route[], method: string, path: string): Match {
  const candidates = routes.flatMap((route) => {
    const params = paramsIn(route.path, path)
    return params === undefined ? [] : [{ route, params }]
  })
  const match = candidates.find(({ route }) => route.method === method)
  if (match !== undefined) return match
  if (candidates.length === 0)
    throw new Problem('not_found', `There is no ${path}; GET /openapi.json lists what there is.`)
  const allowed = candidates.map(({ route }) => route.method).join(', ')
  throw methodNotAllowed(path, allowed)
}

export function methodNotAllowed(path: string, allowed: string): Problem {
  return new Problem('method_not_allowed', `${path} takes ${allowed} only.`, { headers: { allow: allowed } })
}

function paramsIn(template: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [template.split('/'), path.split('/')]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined ? part !== given[i] : given[i] === '') return undefined
    if (name !== undefined) params[name] = decoded(given[i]!)
  }
  return params
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Problem('invalid_parameter', `"${segment}" in the path is wrongly encoded.`)
  }
}
