import type { SwaggerOptions } from '@fastify/swagger'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { scopeNeeded, type Needed } from '../domain/caller.ts'
import { withMediaTypes } from './media-types.ts'
import { problemSchema } from './problems.ts'
import { errorSchema } from './protocols/openai/answers.ts'
import { NO_QUERY } from './schemas.ts'
import { rpcErrorSchema } from './protocols/mcp/endpoint.ts'

const toSchema = createJsonSchemaTransform({ zodToJsonConfig: { unrepresentable: 'any' } })

/** Sections of the API page, for addresses whose first part is not the name of their section. */
const SECTIONS: Readonly<Record<string, string>> = {
  attachments: 'query',
  audit: 'people',
  grants: 'groups',
  hitl: 'approvals',
  hooks: 'schedules',
  ready: 'health',
  shared: 'conversations',
  storage: 'databases',
  upload: 'documents',
  usage: 'limits',
  v1: 'openai',
}

function sectionOf(url: string): string {
  const [, first = ''] = url.split('/')
  return SECTIONS[first] ?? first
}

/** Describes who may use an endpoint. */
function needs(needed: Needed): string {
  return `Needs the role ${needed.role} and, of a key, the scope ${scopeNeeded(needed)}.`
}

/**
 * In OpenAPI `readOnly` means that clients do not send the field. Zod uses it for TypeScript's `readonly`, so it is
 * removed.
 */
function withoutReadOnly(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutReadOnly)
  if (typeof part !== 'object' || part === null) return part
  const fields = Object.entries(part).filter(([name, value]) => name !== 'readOnly' || value !== true)
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutReadOnly(value)]))
}

const problems = { 'application/problem+json': problemSchema }

/** Error responses, in the format of the protocol at this address. */
function errorsAt(url: string) {
  if (url.startsWith('/v1/')) return withMediaTypes('An error', { 'application/json': errorSchema })
  return withMediaTypes('An error', url === '/mcp' ? { ...problems, 'application/json': rpcErrorSchema } : problems)
}

/** The document at `/openapi.json`, made from the routes and their schemas. */
export function openApiOptions(version: string): SwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tutti',
        version,
        description: 'Questions, runs, approvals, conversations and documents. Errors are RFC 9457 problem details.',
      },
      servers: [{ url: '/' }],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key' } } },
      security: [{ key: [] }],
    },
    transform: (input) => {
      const { access } = input.route.config ?? {}
      const { querystring, ...others } = input.schema ?? {}
      const schema = querystring === NO_QUERY || querystring === undefined ? others : { ...others, querystring }
      const response = { ...(schema.response as object), default: errorsAt(input.url) }
      const tags = [sectionOf(input.url)]
      const made = toSchema({ ...input, schema: { ...schema, tags, response } } as never)
      const isPublic = access === 'public' || access === undefined
      return { ...made, schema: { ...made.schema, ...(isPublic ? { security: [] } : { description: needs(access) }) } }
    },
    transformObject: (document) => withoutReadOnly(jsonSchemaTransformObject(document)) as never,
  }
}
