import { isObject } from '../../../shared/json.ts'
import { mergedSchema, objectIn } from '../../../domain/merged-schema.ts'
import { PARAM_STYLES, type ParamStyle } from './types.ts'
import type { Endpoint, Param, ParamType, Schema, SecurityRequirement, SecurityScheme } from './types.ts'

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function asText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

export function asTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).filter((entry) => typeof entry === 'string')
}

/**
 * GET and HEAD read, by RFC 9110 section 9.2.1; other methods change something unless the catalogue declares otherwise.
 */
export function effectOf(method: string, override: unknown): Endpoint['effect'] {
  if (override === 'read') return 'read'
  if (override === 'write' || override === 'irreversible') return 'irreversible'
  return method === 'GET' || method === 'HEAD' ? 'read' : 'irreversible'
}

/** A parameter from its description and its schema; undefined without a name or a known place. */
export function paramOf(node: Readonly<Record<string, unknown>>, schema: Schema): Param | undefined {
  const name = asText(node['name'])
  const place = asText(node['in']) || 'query'
  if (name === '' || !isPlace(place)) return undefined
  const style = styleOf(node['style'], place)
  return {
    name,
    in: place,
    required: place === 'path' || node['required'] === true,
    description: asText(node['description']),
    type: typeOf(schema),
    style,
    explode: typeof node['explode'] === 'boolean' ? node['explode'] : style === 'form' || style === 'deepObject',
  }
}

function styleOf(given: unknown, place: Param['in']): ParamStyle {
  const usual = place === 'query' || place === 'cookie' ? 'form' : 'simple'
  return PARAM_STYLES.find((style) => style === given) ?? usual
}

/**
 * The parameters that a request has for one of the document. A query parameter that is an object is written field by field:
 * `filter[status]` in style `deepObject`, `status` in style `form` (OpenAPI 3.1, "Style Values").
 */
export function paramsIn(node: Readonly<Record<string, unknown>>, schema: Schema): readonly Param[] {
  const param = paramOf(node, schema)
  if (param === undefined) return []
  const { name, in: place, required, description, style, explode } = param
  const { properties, required: needed } = mergedSchema(schema, schema)
  const fields = Object.entries(properties)
  const isByField = place === 'query' && (style === 'deepObject' || (style === 'form' && explode))
  if (!isByField || fields.length === 0) return [param]
  return fields.map(([field, value]) => ({
    ...param,
    name: style === 'deepObject' ? `${name}[${field}]` : field,
    required: required && needed.includes(field),
    description: asText(objectIn(value)['description']) || description,
    type: typeOf(objectIn(value)),
  }))
}

/**
 * An operation's parameters without those that its sign-in fills. Some documents, such as Trello's, list the key and
 * token of their security schemes as parameters as well. They are not planned; if the operation names no sign-in, they
 * are the sign-in. Headers that every request has are not parameters, as in OpenAPI.
 */
export function withoutSignIn(
  params: readonly Param[],
  security: readonly SecurityRequirement[],
  schemes: Readonly<Record<string, SecurityScheme>>,
): { readonly params: readonly Param[]; readonly security: readonly SecurityRequirement[] } {
  const listed = new Set<string>()
  const planned = params.filter((param) => {
    const scheme = Object.entries(schemes).find(([, known]) => known.kind === 'apiKey' && isSameParam(known, param))
    if (scheme !== undefined) listed.add(scheme[0])
    return scheme === undefined && !(param.in === 'header' && /^(accept|content-type|authorization)$/i.test(param.name))
  })
  return { params: planned, security: security.length === 0 && listed.size > 0 ? [[...listed]] : security }
}

function isSameParam(a: { readonly in: string; readonly name: string }, b: Param): boolean {
  if (a.in !== b.in) return false
  return a.in === 'header' ? a.name.toLowerCase() === b.name.toLowerCase() : a.name === b.name
}

function isPlace(place: string): place is Param['in'] {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie'
}

/** The plain part of a schema, whatever choices it has. */
export function typeOf(schema: Schema): ParamType {
  const {
    type: types,
    format,
    enum: values,
    default: preset,
    minimum,
    maximum,
    items,
    properties,
  } = mergedSchema(schema, schema)
  const fields = Object.keys(properties)
  const type = [types].flat().find((name) => name !== 'null') ?? (fields.length > 0 ? 'object' : undefined)
  const listed = values.filter(isScalar)
  return {
    ...(typeof type === 'string' ? { type } : {}),
    ...(typeof format === 'string' ? { format } : {}),
    ...(listed.length > 0 ? { enum: listed } : {}),
    ...(preset === undefined ? {} : { default: preset }),
    ...(typeof minimum === 'number' ? { minimum } : {}),
    ...(typeof maximum === 'number' ? { maximum } : {}),
    ...(isObject(items) ? { items: typeOf(items) } : {}),
    ...(fields.length > 0 ? { fields } : {}),
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Security requirements; an empty one among them means that signing in is optional, and then it is left out. */
export function securityOf(value: unknown): SecurityRequirement[] {
  if (!Array.isArray(value)) return []
  return value
    .map((entry) => Object.keys(typeof entry === 'object' && entry !== null ? entry : {}))
    .filter((names) => names.length > 0)
}
