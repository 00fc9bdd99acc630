import type { SwaggerOptions } from '@fastify/swagger'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { scopeNeeded, type Needed } from '../domain/caller.ts'
import { inForms } from './forms.ts'
import { problemSchema } from './problems.ts'
import { rpcErrorSchema } from './protocols/mcp/messages.ts'
import { errorSchema } from './protocols/openai/answers.ts'
import { NO_QUERY } from './schemas.ts'

const toSchema = createJsonSchemaTransform({ zodToJsonConfig: { unrepresentable: 'any' } })

/** Who may use an endpoint, in words. */
function needs(needed: Needed): string {
  return `Needs the role ${needed.role} and, of a key, the scope ${scopeNeeded(needed)}.`
}

/** To a document `readOnly` says that a field is not sent at all; what is meant is that code does not change it. */
function withoutReadOnly(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutReadOnly)
  if (typeof part !== 'object' || part === null) return part
  const kept = Object.entries(part).filter(([name, value]) => name !== 'readOnly' || value !== true)
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutReadOnly(value)]))
}

const problems = { 'application/problem+json': problemSchema }

/** Errors, in the form that whoever speaks to an address knows. */
function errorsAt(url: string) {
  if (url.startsWith('/v1/')) return inForms('An error', { 'application/json': errorSchema })
  return inForms('An error', url === '/mcp' ? { ...problems, 'application/json': rpcErrorSchema } : problems)
}

/** Whether it is answered as JSON, or also as JSON. */
function isJson(response: unknown): boolean {
  const good = (response as { readonly 200?: { readonly content?: object } } | undefined)?.[200]
  return good !== undefined && 'application/json' in (good.content ?? { 'application/json': good })
}

/** See `tagAnswers`. */
const UNCHANGED = { 304: z.null().describe('The same as If-None-Match names') }

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
      const isTagged = input.route.method === 'GET' && isJson(schema.response)
      const response = {
        ...(schema.response as object),
        ...(isTagged ? UNCHANGED : {}),
        default: errorsAt(input.url),
      }
      const made = toSchema({ ...input, schema: { ...schema, response } } as never)
      const isPublic = access === 'public' || access === undefined
      return { ...made, schema: { ...made.schema, ...(isPublic ? { security: [] } : { description: needs(access) }) } }
    },
    transformObject: (document) => withoutReadOnly(jsonSchemaTransformObject(document)) as never,
  }
}
