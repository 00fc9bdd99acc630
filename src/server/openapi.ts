import type { SwaggerOptions } from '@fastify/swagger'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { scopeNeeded, type Needed } from '../core/caller.ts'
import { problemSchema } from './problems.ts'
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

interface Answer {
  content: Record<string, unknown>
}

interface Whole {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: { readonly default: Answer } }>>>
  >
}

/** Errors are sent as what they are, and not as any JSON. */
function asProblem(answer: Answer): void {
  answer.content = { 'application/problem+json': answer.content['application/json'] }
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
      const response = { ...(schema.response as object), default: problemSchema.describe('An error') }
      const made = toSchema({ ...input, schema: { ...schema, response } } as never)
      const isPublic = access === 'public' || access === undefined
      return { ...made, schema: { ...made.schema, ...(isPublic ? { security: [] } : { description: needs(access) }) } }
    },
    transformObject: (document) => {
      const whole = withoutReadOnly(jsonSchemaTransformObject(document)) as Whole
      for (const [path, operations] of Object.entries(whole.paths)) {
        if (!path.startsWith('/v1/'))
          for (const { responses } of Object.values(operations)) asProblem(responses.default)
      }
      return whole as never
    },
  }
}
