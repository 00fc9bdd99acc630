import { decodePercent, isObject } from '../../../shared/json.ts'

type Node = Readonly<Record<string, unknown>>

/** Deeper than this a schema is cut: enough for a request's body, and recursive types end. */
const MAX_DEPTH = 6

/** Reads objects of a document and resolves `$ref`. */
export interface Resolver {
  /** The referenced object, or an empty one if there is none. Circular references count as none. */
  object(value: unknown): Node
  /** A copy of a schema with all references put in. */
  expand(value: unknown): Node
}

/**
 * Follows JSON pointers within a document (RFC 6901) at the moment they are needed, so that a file with thousands of
 * operations is not walked through at the start. References to other files lead nowhere, see `bundle`.
 */
export function createResolver(document: unknown): Resolver {
  const follow = (value: unknown, seen: readonly string[] = []): { node: Node; seen: readonly string[] } => {
    if (!isObject(value)) return { node: {}, seen }
    const ref = value['$ref']
    if (typeof ref !== 'string') return { node: value, seen }
    if (seen.includes(ref)) return { node: {}, seen }
    const target = follow(pointedAt(document, ref), [...seen, ref])
    // OpenAPI 3.1 allows fields such as a description next to a reference.
    const { $ref: _ref, ...siblings } = value
    return Object.keys(siblings).length === 0 ? target : { ...target, node: { ...target.node, ...siblings } }
  }
  const expand = (value: unknown, seen: readonly string[], depth: number): unknown => {
    if (Array.isArray(value)) return value.map((inner) => expand(inner, seen, depth))
    if (!isObject(value)) return value
    const { node, seen: path } = follow(value, seen)
    if (depth > MAX_DEPTH) return typeof node['type'] === 'string' ? { type: node['type'] } : {}
    return Object.fromEntries(
      Object.entries(node)
        .filter(([key]) => !NOISE.has(key))
        .map(([key, inner]) => [key, isObject(inner) || Array.isArray(inner) ? expand(inner, path, depth + 1) : inner]),
    )
  }
  return {
    object: (value) => follow(value).node,
    expand: (value) => (isObject(value) ? mergeAllOf(expand(value, [], 0) as Node) : {}),
  }
}

/** Parts of a schema that do not help to write a body. */
const NOISE = new Set(['example', 'examples', 'xml', 'externalDocs'])

/** Merges the parts of a top-level `allOf` into one object type; nested ones are not changed. */
function mergeAllOf(schema: Node): Node {
  const parts = schema['allOf']
  if (!Array.isArray(parts)) return schema
  const { allOf: _parts, ...own } = schema
  const all = [...parts.filter(isObject).map(mergeAllOf), own]
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map((part) => part['properties'])),
    required: [...new Set(all.flatMap((part) => (Array.isArray(part['required']) ? part['required'] : [])))],
  }
}

function pointedAt(document: unknown, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined
  let current = document
  for (const part of ref.slice(2).split('/')) {
    const key = decodePercent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    current = (current as Node)[key]
  }
  return current
}
