import { TuttiError } from '../../../domain/errors.ts'
import { isObject } from '../../../shared/json.ts'
import { createResolver, type Resolver } from './references.ts'
import { effectOf, METHODS, paramOf, paramsIn, securityOf, asText, asTexts, withoutSignIn } from './parts.ts'
import type { Body, Catalogue, Endpoint, Param, SecurityScheme } from './types.ts'

/**
 * Parses an OpenAPI 3.0 to 3.2 document. Tolerant, because many documents are incomplete: ids, tags, summaries and
 * servers may be missing. `x-tutti-effect: read` on an operation declares that it changes nothing although its method
 * is not GET.
 * @throws TuttiError `ConfigurationError` for another version, and for a document without any operation
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function openApiCatalogue(document: Readonly<Record<string, unknown>>, name: string): Catalogue {
  const version = asText(document['openapi'])
  if (!/^3\.[0-2]\b/.test(version)) {
    const found = version || `Swagger ${asText(document['swagger'])}`
    throw new TuttiError(
      'ConfigurationError',
      `${name}: OpenAPI 3.0 to 3.2 is needed, this is ${found}. Convert it first.`,
    )
  }
  const resolver = createResolver(document)
  const info = resolver.object(document['info'])
  const components = resolver.object(document['components'])
  const securitySchemes = schemesOf(resolver, resolver.object(components['securitySchemes']))
  const endpoints = Object.entries(resolver.object(document['paths'])).flatMap(([path, item]) =>
    endpointsOf(resolver, path, item, document['security'], securitySchemes),
  )
  if (endpoints.length === 0)
    throw new TuttiError('ConfigurationError', `${name}: the document describes no operation.`)
  return {
    name,
    description: asText(info['description']) || asText(info['title']),
    servers: serversOf(resolver, document['servers']),
    securitySchemes,
    endpoints,
    snippets: snippetsOf(resolver, document['tags']),
  }
}

function endpointsOf(
  resolver: Resolver,
  path: string,
  item: unknown,
  security: unknown,
  schemes: Readonly<Record<string, SecurityScheme>>,
): Endpoint[] {
  const shared = resolver.object(item)
  return METHODS.flatMap((method) => {
    const operation = shared[method.toLowerCase()]
    if (!isObject(operation)) return []
    const server = serversOf(resolver, operation['servers'] ?? shared['servers'])[0]
    const params = paramsOf(resolver, path, shared['parameters'], operation['parameters'])
    return [
      {
        method,
        path,
        operationId: asText(operation['operationId']),
        summary: asText(operation['summary']) || asText(shared['summary']),
        description: asText(operation['description']) || asText(shared['description']),
        tags: asTexts(operation['tags']),
        ...withoutSignIn(params, securityOf(operation['security'] ?? security), schemes),
        body: once(() => bodyOf(resolver, operation['requestBody'])),
        effect: effectOf(method, operation['x-tutti-effect']),
        ...(server === undefined ? {} : { server }),
      },
    ]
  })
}

/** An operation's own parameters win over those of its path; undeclared placeholders are added. */
function paramsOf(resolver: Resolver, path: string, shared: unknown, own: unknown): Param[] {
  const byKey = new Map<string, Param>()
  for (const list of [shared, own]) {
    for (const entry of Array.isArray(list) ? list : []) {
      const node = resolver.object(entry)
      const content = node['schema'] === undefined ? firstContent(resolver, node['content']) : {}
      const isJson = /[/+]json\b/i.test(content.mediaType ?? '')
      const written = isJson ? { ...node, style: 'json' } : node
      for (const param of paramsIn(written, resolver.expand(node['schema'] ?? content.schema)))
        byKey.set(`${param.in} ${param.name}`, param)
    }
  }
  for (const [, name] of path.matchAll(/\{([^{}]+)\}/g)) {
    const missing = paramOf({ name, in: 'path' }, { type: 'string' })
    if (missing !== undefined && !byKey.has(`path ${name}`)) byKey.set(`path ${name}`, missing)
  }
  return [...byKey.values()]
}

function bodyOf(resolver: Resolver, value: unknown): Body | undefined {
  const node = resolver.object(value)
  const { mediaType, schema } = firstContent(resolver, node['content'])
  if (mediaType === undefined) return undefined
  return { required: node['required'] === true, mediaType, schema: resolver.expand(schema) }
}

/** JSON, if it is among the media types. */
function firstContent(resolver: Resolver, value: unknown): { mediaType?: string; schema?: unknown } {
  const content = resolver.object(value)
  const types = Object.keys(content)
  const mediaType = types.find((type) => /[/+]json\b/i.test(type)) ?? types[0]
  if (mediaType === undefined) return {}
  return { mediaType, schema: resolver.object(content[mediaType])['schema'] }
}

/** Variables of a server's URL are set to their defaults, else to the first value that they may have. */
function serversOf(resolver: Resolver, value: unknown): string[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const server = resolver.object(entry)
    const variables = resolver.object(server['variables'])
    const url = asText(server['url']).replace(/\{([^{}]+)\}/g, (whole, name: string) => {
      const { default: preset, enum: values } = resolver.object(variables[name])
      const value = preset ?? (Array.isArray(values) ? values[0] : undefined)
      return typeof value === 'string' || typeof value === 'number' ? String(value) : whole
    })
    return url === '' || url === '/' ? [] : [url]
  })
}

function schemesOf(resolver: Resolver, schemes: Readonly<Record<string, unknown>>): Record<string, SecurityScheme> {
  return Object.fromEntries(
    Object.entries(schemes).flatMap(([name, value]) => {
      const scheme = schemeOf(resolver.object(value))
      return scheme === undefined ? [] : [[name, scheme]]
    }),
  )
}

/** OAuth 2 and OpenID Connect end in a bearer token, which the operator provides. */
function schemeOf(node: Readonly<Record<string, unknown>>): SecurityScheme | undefined {
  const type = asText(node['type']).toLowerCase()
  if (type === 'oauth2' || type === 'openidconnect') return { kind: 'bearer' }
  if (type === 'http') return asText(node['scheme']).toLowerCase() === 'basic' ? { kind: 'basic' } : { kind: 'bearer' }
  const place = asText(node['in'])
  const name = asText(node['name'])
  if (type !== 'apikey' || name === '' || (place !== 'header' && place !== 'query' && place !== 'cookie'))
    return undefined
  return { kind: 'apiKey', in: place, name }
}

function snippetsOf(resolver: Resolver, tags: unknown): { title: string; text: string }[] {
  return (Array.isArray(tags) ? tags : []).flatMap((entry) => {
    const tag = resolver.object(entry)
    const [title, text] = [asText(tag['name']), asText(tag['description'])]
    return text === '' ? [] : [{ title, text }]
  })
}

function once<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined
  return () => (cached ??= { value: make() }).value
}
