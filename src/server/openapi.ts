import type { SwaggerOptions } from '@fastify/swagger'
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { problemSchema } from './problems.ts'

const toSchema = createJsonSchemaTransform({ zodToJsonConfig: { unrepresentable: 'any' } })

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
      const schema = input.schema ?? {}
      const response = { ...(schema.response as object), default: problemSchema.describe('An error') }
      const made = toSchema({ ...input, schema: { ...schema, response } } as never)
      return { ...made, schema: { ...made.schema, ...(access === 'public' ? { security: [] } : {}) } }
    },
    transformObject: jsonSchemaTransformObject,
  }
}
